"""All texts fit their places on a small phone: in German and on some pages always, on all with `make test-all`."""

from __future__ import annotations

import pytest

from pasch.core.languages import languages
from pasch.core.registry import game_ids
from tests.e2e.browser import PHONE
from tests.e2e.conftest import Visit

#: what is wider than its place, or reaches beyond the screen
CLIPPED = """() => {
  const found = [];
  const texts = "button, .button, select, summary, legend, h1, h2, h3, label, .seat, .lid .meta span, .dock *";
  for (const element of document.querySelectorAll(texts)) {
    if (!element.checkVisibility() || element.closest(".scroll, .unseen, .skip, svg")) continue;
    if (!element.textContent.trim()) continue;
    const { left, right, width } = element.getBoundingClientRect();
    const wide = element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1;
    if (width > 0 && (wide || left < -1 || right > window.innerWidth + 1)) {
      found.push(`${element.tagName}.${element.className}: ${element.textContent.trim().slice(0, 60)}`);
    }
  }
  if (document.documentElement.scrollWidth > window.innerWidth) found.push(`the page itself, ${location.pathname}`);
  return found;
}"""


@pytest.mark.parametrize(
    ("language", "games"),
    # German has the longest words
    [
        ("de", ("crowns", "joker2")),
        *(pytest.param(tag, game_ids(), marks=pytest.mark.exhaustive) for tag in languages()),
    ],
)
def test_every_text_fits_its_place_on_a_small_phone(
    language: str, games: tuple[str, ...], visit: Visit
) -> None:
    person = visit(language=language, size=PHONE)
    page = person.go("/")
    assert page.locator("html").get_attribute("lang") == language
    clipped = {"/": page.evaluate(CLIPPED)}
    page.locator("[data-key=settings]").click()
    page.locator("dialog").wait_for()
    clipped["settings"] = page.evaluate(CLIPPED)
    for game in games:
        for kind in ("new", "rules", "learn"):
            person.go(f"/{kind}/{game}")
            if kind == "new":
                person.open_folds()
            clipped[f"{kind} {game}"] = page.evaluate(CLIPPED)
        person.set_table(game, ("here", "greedy"))
        clipped[f"table {game}"] = page.evaluate(CLIPPED)
        page.locator("[data-key=menu]").click()
        page.locator("dialog").wait_for()
        clipped[f"menu {game}"] = page.evaluate(CLIPPED)
    assert {place: texts for place, texts in clipped.items() if texts} == {}
