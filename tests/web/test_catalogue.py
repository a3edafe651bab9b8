"""Every text that the browser may show is in the catalogues, in every language, in all its forms."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache

import pytest
from babel.messages.catalog import Catalog, Message
from tools import texts

from pasch.core.registry import all_games
from pasch.web import answers
from pasch.web.files import STATIC
from tests.web.nodejs import need_typescript

pytestmark = pytest.mark.slow

LANGUAGES = texts.LANGUAGES
#: Pasch's own games; other people's have catalogues of their own
GAMES = [game for game in all_games() if (texts.SOURCE / "games" / game.id).is_dir()]
#: whose catalogues there are; None is the general one
OWNERS = (None, *(game.id for game in GAMES))


@cache
def found() -> texts.Found:
    need_typescript()
    return texts.find()


def forms(text: str | Iterable[str] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def names(text: str) -> set[str]:
    """The names that a template asks for."""
    return set(re.findall(r"\{(\w+)(?:!r)?\}", text))


@cache
def messages(language: str, owner: str | None) -> list[Message]:
    return [message for message in texts.read(language, owner) if message.id]


def test_no_text_stands_outside_the_catalogues() -> None:
    assert found().wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_in_the_catalogue_of_the_game_that_says_it(language: str) -> None:
    parted = texts.catalogues(found().texts)
    assert set(parted) == set(OWNERS)
    for owner, said in parted.items():
        there = {message.id for message in messages(language, owner)}
        wanted = {text.one if text.other is None else (text.one, text.other) for text in said}
        # `make texts` brings them into line
        assert (wanted - there, there - wanted) == (set(), set()), owner


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_in_all_forms(language: str) -> None:
    every = [message for owner in OWNERS for message in messages(language, owner)]
    assert [m.id for m in every if not texts.translated(m)] == []
    several = [m for m in every if not isinstance(m.id, str)]
    assert [m.id for m in several if len(forms(m.string)) != Catalog(language).num_plurals] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_use_what_is_given_and_nothing_else(language: str) -> None:
    lost, strange = [], []
    for owner in OWNERS:
        for message in messages(language, owner):
            given = forms(message.id)
            # of one thing a language may say "a chip" without its number
            wanted = [names(given[0]) - ({"n"} if len(given) > 1 else set()), *[names(given[-1])]]
            for number, text in enumerate(forms(message.string)):
                if not wanted[number > 0 or len(given) == 1] <= names(text):
                    lost.append((owner, given[0], text))
                if not names(text) <= set().union(*map(names, given)):
                    strange.append((owner, given[0], text))
    assert (lost, strange) == ([], [])


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_several_games_say_is_translated_once(language: str) -> None:
    # the browser reads all catalogues into one
    said: dict[str, set[tuple[str, ...]]] = {}
    for owner in OWNERS:
        for message in messages(language, owner):
            said.setdefault(forms(message.id)[0], set()).add(forms(message.string))
    assert {text: ways for text, ways in said.items() if len(ways) > 1} == {}


def test_the_first_page_gets_the_texts_of_its_modules_first() -> None:
    assert all((texts.CLIENT / module).is_file() for module in answers.FIRST)
    sent = set(json.loads(answers.catalogue("de", True))["templates"])
    wanted = {text.one for text, places in found().texts.items() if answers.FIRST.intersection(places)}
    assert "What shall we play?" in sent and wanted - sent == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_browser_gets_its_texts_and_none_that_only_the_terminal_says(language: str) -> None:
    sent = set(json.loads(answers.catalogue(language, False))["templates"])
    of_client = {
        text.one for text, places in found().texts.items() if any(p.endswith(".js") for p in places)
    }
    assert of_client - sent == set()
    of_terminal = {
        text.one
        for text, places in found().texts.items()
        if all(place.startswith("terminal/") or place.endswith("/terminal.py") for place in places)
    }
    assert len(of_terminal) > 100 and of_terminal & sent == set()
    assert "Round {n} of {all}" in sent, "a board and a terminal both say it"


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_text_is_the_plural_of_another(language: str) -> None:
    """Both forms of a text lead to it, so a text of its own could not be found."""
    every = [message.id for owner in OWNERS for message in messages(language, owner)]
    several = {(one, other) for one, other in (m for m in every if not isinstance(m, str)) if one != other}
    assert {other for _, other in several} & {m for m in every if isinstance(m, str)} == set()


@pytest.mark.parametrize(("page", "part"), [("index", "busy"), ("index", "noscript"), ("offline", "main")])
def test_what_is_said_before_the_texts_are_loaded_is_said_in_every_language(page: str, part: str) -> None:
    html = (STATIC / f"{page}.html").read_text("utf-8")
    said = re.findall(r'class="busy" lang="(\w+)"', html)
    if part != "busy":
        said = re.findall(r'<p lang="(\w+)">', html.split(f"<{part}>")[1].split(f"</{part}>")[0])
    assert sorted(said) == sorted(("en", *LANGUAGES))
