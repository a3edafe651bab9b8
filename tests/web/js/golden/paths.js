// Games' boards lie beside the client when it is served; here they are found where they lie in the source.
import { registerHooks } from "node:module";

const SOURCE = new URL("../../../../src/pasch/", import.meta.url).href;

registerHooks({
  resolve(specifier, context, next) {
    const from = context.parentURL ?? "";
    if (from.startsWith(`${SOURCE}games/`) && specifier.startsWith("../../")) return next(new URL(specifier.slice(6), `${SOURCE}web/static/`).href, context);
    return next(specifier, context);
  },
});
