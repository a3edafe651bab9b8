"""The terminal speaks every language of Pasch."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pasch import find_game
from pasch.core.errors import PaschError
from pasch.core.registry import game_ids
from pasch.core.texts import languages, messages
from pasch.core.words import counted, say
from pasch.terminal import language
from tests.coach.games import play
from tests.terminal.conftest import Pasch

#: options that make a game short
SHORT = {
    "crowns": ("round_limit=4",),
    "joker1": ("rounds=1",),
    "joker2": ("rounds=1",),
    "lines": ("target=2",),
    "sixbysix": ("round_limit=1",),
}


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_language", "de")


@pytest.fixture
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PASCH_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


def english_parts() -> set[str]:
    """What stands between the fields of English templates, as far as it is longer than three words."""
    ids = [one.id for owner in (None, *game_ids()) for one in messages("de", owner)]
    templates = [text for one in ids for text in ([one] if isinstance(one, str) else one)]
    parts = {" ".join(part.split()) for text in templates for part in re.split(r"\{\w+(?:!r)?\}", text)}
    return {part for part in parts if len(part.split()) > 3}


def assert_german(text: str) -> None:
    shown = " ".join(text.split())
    assert {part for part in english_parts() if part in shown} == set()


# --- whole games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", sorted(game for game in game_ids() if "de" in languages()))
def test_a_whole_game_in_german_has_no_english_in_it(pasch: Pasch, data: Path, game: str) -> None:
    options = [word for option in SHORT.get(game, ()) for word in ("-o", option)]
    first = ["?", "b", "gibtesnicht", "77", "u"]
    arguments = ("play", game, "-l", "de", "--seats", "me,random", *options)
    done = pasch(*arguments, typed="|".join(first + ["1"] * 900))
    assert (done.exit_code, done.stderr) == (0, "")
    assert list((data / "records").iterdir()), "the game was played to its end"
    assert_german(done.stdout)
    assert "Mit ? bekommst du bei jeder Frage Hilfe." in done.stdout
    assert re.search(r"Person \d( und Person \d)? gewinn", done.stdout)
    (record,) = (data / "records").iterdir()
    again = pasch("show", record, "-l", "de")
    assert again.exit_code == 0 and "Person 1" in again.stdout
    assert_german(again.stdout)
    real = pasch("play", game, "-l", "de", "--seats", "me,me", "--dice", "real", typed="x|1 2|u|q")
    assert_german(real.stdout)


def test_lessons_rules_and_lists_are_german(pasch: Pasch) -> None:
    for game in game_ids():
        learned = pasch("learn", game, "-l", "de", typed="|1|zzz|q")
        assert learned.exit_code == 0 and "die Lektion" in learned.stdout
        assert_german(learned.stdout)
        rules = pasch("rules", game, "-l", "de")
        assert "Woher die Daten stammen" in rules.stdout
        assert_german(rules.stdout)
    listed = pasch("games", "-l", "de")
    assert "Schieb dir eine Kombination zurecht" in listed.stdout
    assert_german(listed.stdout)
    assert_german(pasch("saved", "-l", "de").stdout)


# --- numbers, lists, sentences --------------------------------------------------------------------


def test_numbers_and_lists_are_written_by_the_languages_rules(german: None) -> None:
    assert language.shown(1234.5) == "1.234,5" and language.number(-0.25) == "−0,25"
    assert language.percent(0.125) == "12,50 %"
    assert language.shown(["a", "b", 2.5]) == "a, b und 2,5"
    assert language.sentence(counted("{n} point.", "{n} points.", 1.5)) == "1,5 Punkte."
    assert language.tn("{n} point.", "{n} points.", 2) == "2 Punkte."
    # what has no translation is said in English
    assert language.sentence(say("No such {thing} here.", thing="red")) == "No such rot here."
    assert language.reason(PaschError("a {what} that is new", what="word")) == "a word that is new"


def test_a_report_has_german_words_and_numbers(pasch: Pasch, tmp_path: Path) -> None:
    path, page = tmp_path / "game.jsonl", tmp_path / "page.html"
    match = play(find_game("lines").agree(2), "random,greedy", 1)
    path.write_text(match.record().to_json() + "\n", "utf-8")
    done = pasch("report", path, "-l", "de", "--html", page)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "Glück und Können" in done.stdout and "Verschenkt" in done.stdout
    assert re.search(r"[+−]\d+,\d\d\b", done.stdout) and not re.search(r"\d\.\d\d\b", done.stdout)
    assert_german(done.stdout)
    written = page.read_text("utf-8")
    assert '<html lang="de">' in written and "Gewonnen hat:" in written
    value = pasch("value", "lines", "--position", match.at(3).notation(), "-l", "de")
    assert "Gewinnchance (geschätzt)" in value.stdout and re.search(r"\d,\d\d %", value.stdout)
    assert_german(value.stdout)


# --- which language -------------------------------------------------------------------------------


@pytest.mark.usefixtures("nothing_set")
@pytest.mark.parametrize(
    "settings, words",
    [
        ({"PASCH_LANGUAGE": "en", "LC_ALL": "de_DE.UTF-8"}, "There is no unfinished game."),
        ({"LC_MESSAGES": "de_CH@euro", "LANG": "C"}, "Es gibt kein angefangenes Spiel."),
        ({"LC_ALL": "C", "LANG": "de_DE"}, "There is no unfinished game."),
        ({"LANG": "tlh_QO.UTF-8"}, "There is no unfinished game."),
    ],
)
def test_the_environment_says_which_language(
    pasch: Pasch, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], words: str
) -> None:
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert pasch("saved").stdout.strip() == words
    assert pasch("saved", "-l", "DE").stdout.strip() == "Es gibt kein angefangenes Spiel."


def test_an_unknown_language_is_refused_clearly(pasch: Pasch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PASCH_LANGUAGE", "nonsense")
    done = pasch("games")
    assert done.exit_code == 2 and "PASCH_LANGUAGE" in done.stderr and "'de', 'en'" in done.stderr


def test_refusals_are_in_the_language(pasch: Pasch, tmp_path: Path) -> None:
    done = pasch("play", "joker1", "--seats", "me,xyz", "-l", "de")
    assert "„xyz“ kann hier nicht mitspielen" in done.stderr
    assert done.stderr.endswith("ein Mensch ist `me`\n")
    broken, own = tmp_path / "broken.jsonl", tmp_path / "own.toml"
    match = play(find_game("joker1").agree(1, {"rounds": 1}), "greedy")
    broken.write_text(match.record().to_json().replace('"roll":[', '"roll":[9,', 1) + "\n", "utf-8")
    done = pasch("show", broken, "-l", "de")
    assert done.exit_code == 1 and done.stderr.startswith("pasch: Ereignis 1: ")
    assert_german(done.stdout + done.stderr)
    own.write_text('game = "lines"\n', "utf-8")
    done = pasch("play", "joker1", "--components", own, "-l", "de")
    assert done.exit_code == 1
    assert_german(done.stderr)


def test_commands_of_researchers_and_operators_stay_english(
    pasch: Pasch, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PASCH_LANGUAGE", "de")
    done = pasch("solve", "schach")
    assert done.exit_code == 1 and "there is no game 'schach'" in done.stderr
    assert "ein Spiel" in pasch("rules", "schach").stderr
    assert language.current() == "en", "nothing lasts longer than a command"
