// @ts-check
/** Several people at one screen: the hand stays hidden until the next person confirms to be there. */
import { t } from "../app/i18n.js";
import { h } from "../vendor/preact.js";
import { seatName } from "./people.js";

/** What lies over the boards. @param {import("./controller.js").Model} model */
export function cover({ info, cardsOf, position }) {
  const name = seatName(info, cardsOf ?? 0);
  return h(
    "section",
    { key: "cover", class: "cover cardboard" },
    h("h2", null, position.awaits === "read" ? t("Now {name} enters their cards", { name }) : t("Now it is {name}’s turn", { name })),
    h("p", null, t("Hand the screen to {name}. The cards stay hidden until you say that it is you.", { name })),
  );
}
