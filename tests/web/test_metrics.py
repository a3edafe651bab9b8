"""What an operator may read: numbers, and no personal data."""

from __future__ import annotations

from prometheus_client.parser import text_string_to_metric_families

from pasch.table.schema import PROTOCOL
from tests.web.asgi import Browser, served


async def numbers(browser: Browser) -> dict[str, float]:
    """Every sample, by its name and labels."""
    answer = await browser.get("/metrics")
    assert answer.status == 200 and answer.headers["content-type"].startswith("text/plain; version=0.0.4")
    return {
        sample.name + "".join(f" {label}" for label in sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.body.decode())
        for sample in family.samples
    }


@served()
async def test_what_happens_is_counted(browser: Browser) -> None:
    before = await numbers(browser)
    made = await browser.make("joker1", "here", "here")
    player = await browser.join(made["id"], *made["seats"].values())
    assert (await player.ask("roll"))["type"] == "accepted"
    assert (await player.ask("roll", version=0))["code"] == "old-version"
    after = await numbers(browser)

    def more(name: str) -> float:
        return after[name] - before.get(name, 0)

    assert more("pasch_events_total") == 1
    assert more("pasch_refusals_total old-version") == 1
    # the contribution to the dice, and the roll
    assert more("pasch_command_seconds_count") == 2
    assert more("pasch_command_seconds_bucket +Inf") == 2
    assert after["pasch_tables open"] == 1 and after["pasch_tables idle"] == 0
    assert after["pasch_connections here"] == 1 and after["pasch_connections elsewhere"] == 0
    for quiet in (
        "waiting_commands",
        "waiting_jobs long",
        "unsent_bytes",
        "log_writes",
        "log_lag_seconds",
    ):
        assert after[f"pasch_{quiet}"] == 0
    await player.vanish()
    assert (await numbers(browser))["pasch_tables idle"] == 1


@served()
async def test_a_client_that_does_not_read_is_seen(browser: Browser) -> None:
    made = await browser.make("joker1", "here", "here")
    slow = browser.open(made["id"], slow=True)
    player = await browser.join(made["id"], *made["seats"].values())
    slow.say({"type": "hello", "tokens": [made["watch"]], "protocol": PROTOCOL})
    assert (await player.ask("roll"))["type"] == "accepted"
    await player.hear("update")
    assert (await numbers(browser))["pasch_unsent_bytes"] > 0


@served()
async def test_nobodys_name_token_or_table_is_in_it(browser: Browser) -> None:
    made = await browser.make("joker1", "here", "link")
    player = await browser.join(made["id"], made["seats"]["0"])
    await player.ask("name", seat=0, name="Marjorie")
    text = (await browser.get("/metrics")).body.decode()
    secrets = [made["id"], made["watch"], made["maker"], *made["seats"].values(), "Marjorie"]
    assert not any(secret in text for secret in (*secrets, *made["invitations"].values()))
