export function encode(text: string, options?: { ecc?: "L" | "M" | "Q" | "H"; border?: number }): { size: number; data: boolean[][] };
