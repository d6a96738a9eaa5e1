import { expect, test } from "vitest";
import { type DeadLetterFlags, deadLetterFilter } from "../../../../src/cli/replay/dead-letter-filter.ts";
import { replayLetters } from "../../../../src/cli/replay/replay-letters.ts";
import { ReplayTally } from "../../../../src/cli/replay/replay-tally.ts";
import { sha256 } from "../../../../src/kernel/hash.ts";
import type { StreamRecord } from "../../../../src/kernel/stream.ts";
import { deadLetter } from "../../../fakes/dead-letters.ts";
import { FakePublisher } from "../../../fakes/fake-publisher.ts";
import { settled, VirtualClock } from "../../../fakes/virtual-clock.ts";

const NOW = Date.UTC(2026, 1, 1);

function replaying(records: readonly StreamRecord[], flags: DeadLetterFlags = {}, isDry = false) {
  const clock = new VirtualClock(NOW);
  const publisher = new FakePublisher();
  const tally = new ReplayTally();
  const ended = replayLetters({
    read: async function* () {
      yield* records;
    },
    filter: deadLetterFilter(flags, NOW),
    tally,
    clock,
    topic: "retry.10s",
    maxRecordBytes: 5_000,
    publisher: isDry ? undefined : publisher,
  });
  ended.catch(() => undefined);
  const revisions = () =>
    publisher.to("retry.10s").map(({ value }) => (value as { revision: number; verdict_id: string }).revision);
  return { clock, publisher, tally, ended, revisions };
}

const id = (name: string) => ({ "weir-verdict-id": sha256(name) });
const letters = [
  deadLetter({ ...id("a"), "weir-failed-at": "2026-01-30T00:00:00.000Z" }),
  deadLetter({ ...id("b"), "weir-reasons": "ITEM_FAILED,ANSWER_INVALID" }),
  deadLetter({ ...id("a"), "weir-revision": "1", "weir-reasons": "made up by somebody" }),
  deadLetter({ ...id("c"), "weir-reasons": "" }),
  deadLetter({ ...id("d"), "weir-bytes": "9999" }),
  deadLetter(id("e"), "x".repeat(4_000)),
  deadLetter({ ...id("f"), "weir-reasons": "EVENT_MALFORMED" }, "{"),
  { ...deadLetter(), headers: { "weir-reasons": "TICKET_UNREADABLE" } },
];

const LINES = [
  "",
  "by reason:",
  "          1  ITEM_FAILED",
  "          1  ANSWER_INVALID",
  "          1  another reason",
  "          1  no reason given",
  "",
  "by day:",
  "          3  2026-01-31",
  "  oldest 2026-01-31T08:00:00.000Z, newest 2026-01-31T08:00:00.000Z",
  "",
  "skipped:",
  "          1  older than another letter on the same verdict, or a copy",
  "          1  longer than a dead letter holds: the source named in their headers has them",
  "          1  too large for a ticket within RECORD_MAX_BYTES",
  "          1  of events that cannot be screened as they are (--reason replays them anyway)",
  "          1  tickets that cannot be read (TICKET_UNREADABLE), by this version either",
];

test("every repeatable dead letter is replayed, only the newest of one verdict, and the rest is counted", async () => {
  const { tally, ended, revisions } = replaying(letters);
  await ended;

  expect(revisions()).toEqual([1, 2, 1]);
  expect([tally.replayed, tally.read]).toEqual([3, 16]);
  expect(tally.lines()).toEqual(LINES);
});

test("a dry run has the same counts and writes nothing", async () => {
  const { publisher, tally, ended } = replaying(letters, {}, true);
  await ended;

  expect(tally.lines()).toEqual(LINES);
  expect(publisher.records).toEqual([]);
});

test("an older dead letter does not replace a newer one that the flags leave out", async () => {
  const { tally, ended, revisions } = replaying(letters, { until: "2026-01-31" });
  await ended;

  expect(revisions()).toEqual([]);
  expect(tally.lines()).toContain("          1  older than another letter on the same verdict, or a copy");
});

test("a replay ends once every ticket is durable, with at most 1,000 in flight", async () => {
  const many = Array.from({ length: 1_500 }, (_, i) => deadLetter(id(String(i))));
  const { publisher, tally, ended } = replaying(many);
  const durable = Promise.withResolvers<void>();
  publisher.durable = () => durable.promise;
  for (let turns = 0; turns < 1_000 && tally.replayed < 1_000; turns++) await settled();
  await settled();
  expect(tally.replayed).toBe(1_000);
  durable.resolve();
  await ended;
  expect(publisher.records.length).toBe(1_500);
});

test("a replay fails when the brokers accept no record for two minutes", async () => {
  const { clock, publisher, ended } = replaying(letters);
  publisher.durable = () => new Promise(() => undefined);
  for (let turns = 0; turns < 100; turns++) await settled();
  await clock.advance(120_000);

  await expect(ended).rejects.toThrow("the brokers did not take all tickets for 120 s");
});
