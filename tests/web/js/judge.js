// What the page's check says of receipts: reads cases from a file made by tests/web/test_cheating.py, prints the verdicts.
import { readFileSync } from "node:fs";
import { check } from "../../../src/pasch/web/static/fair/verify.js";

const cases = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8"));
const verdicts = [];
for (const { receipt, seen, description, known } of cases) verdicts.push(await check(receipt, seen, description, known));
console.log(JSON.stringify(verdicts));
