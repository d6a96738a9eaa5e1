import { Kafka } from "kafkajs";
import { describe, expect } from "vitest";
import { partitionOf } from "../../src/adapters/kafka/producer/partition-of.ts";
import { timestamp } from "../../src/kernel/clock.ts";
import { sha256 } from "../../src/kernel/hash.ts";
import { Verdict } from "../../src/messages/verdict.ts";
import { brokerTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { produce, produceOnce, quiet } from "../servers/records.ts";
import { type Read, readUntil, type WeirTopics, weirTopics } from "../servers/weir-topics.ts";
import { served } from "../support/served.ts";
import { run, start } from "../support/weir.ts";

const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
const TIMEOUT_MS = 120_000;
const PARTITIONS = 3;

interface Crafted {
  readonly id: string;
  readonly revision?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Dead letters in the form of a worker, keyed by their verdict ids. */
async function deadLetters(topic: string, letters: readonly Crafted[]): Promise<void> {
  const messages = letters.map(({ id, revision = 0, headers }) => ({
    key: id,
    partition: partitionOf(Buffer.from(id), PARTITIONS),
    value: "{",
    headers: {
      "weir-reasons": "SERVICE_UNAVAILABLE",
      "weir-verdict-id": id,
      "weir-revision": String(revision),
      "weir-default-id": "events/0/1",
      "weir-topic": "events",
      "weir-partition": "0",
      "weir-offset": "1",
      "weir-lane": "backfill",
      "weir-attempts": "10",
      "weir-sha256": sha256("{"),
      "weir-bytes": "1",
      "weir-failed-at": "2026-01-31T08:00:00.000Z",
      traceparent: "00-trace",
      ...headers,
    },
  }));
  await produceOnce(kafka, topic, messages);
}

const replay = async ({ env }: WeirTopics, ...flags: string[]) => {
  const { status, stdout, stderr } = await run(["replay", ...flags], env);
  expect(status, stderr).toBe(0);
  return stdout;
};
/** All revisions of records about one verdict. A send with a late answer is repeated. */
const revisionsOf = (read: readonly Read[]) =>
  [...new Set(read.map(({ headers }) => headers["weir-revision"]))].toSorted();
/** The last ticket of each verdict. A send with a late answer is repeated, so a ticket may occur twice. */
const tickets = async ({ retryPrefix }: WeirTopics, count: number) => {
  const byKey = (read: readonly Read[]) => new Map(read.map((each) => [each.key, each]));
  const found = await readUntil(kafka, `${retryPrefix}.10s`, (read) => byKey(read).size >= count, `${count} tickets`);
  const last = [...byKey(found).values()];
  return last.map(({ value, key, headers }) => ({ key, headers, ticket: JSON.parse(value) }));
};

describe("weir replay", () => {
  brokerTest(
    "brings an event back under the same verdict id and the next revision, of several letters by the newest",
    async () => {
      const topics = await weirTopics(kafka, sharedBootstrap, PARTITIONS);
      const worker = start(["worker"], { ...topics.env, ...(await served()) });
      await produce(kafka, topics.live, ["{"]);
      const lettersUntil = (count: number) =>
        readUntil(kafka, topics.deadLetters, (read) => revisionsOf(read).length >= count, `${count} dead letters`);
      await lettersUntil(1);

      const byItself = await replay(topics);
      expect(byItself).toMatch(
        /^Would replay 0 of \d+ dead letters of .*\n\nskipped:\n +\d+ {2}of events that cannot be screened/,
      );
      const named = ["--reason", "EVENT_MALFORMED"];
      const dry = await replay(topics, ...named);
      expect(dry).toMatch(/^Would replay 1 of \d+ dead letters of .*\n\nby reason:\n +1 {2}EVENT_MALFORMED\n/);
      expect(dry).toContain(`by day:\n          1  ${timestamp(Date.now()).slice(0, 10)}`);
      expect(dry).toContain("add --run");

      expect(await replay(topics, "--run", ...named)).toMatch(/^Replayed 1 of \d+ dead letters/);
      const again = await lettersUntil(2);
      expect(revisionsOf(again)).toEqual(["0", "1"]);
      expect(await replay(topics, "--all", "--run", ...named)).toContain(
        "older than another letter on the same verdict",
      );
      await lettersUntil(3);

      const verdicts = await readUntil(
        kafka,
        topics.verdicts,
        (read) => revisionsOf(read).length >= 3,
        "three verdicts",
      );
      const parsed = verdicts.map(({ value }) => Verdict.parse(JSON.parse(value)));
      expect(new Set(parsed.map(({ verdict_id }) => verdict_id)).size).toBe(1);
      expect([...new Set(parsed.map(({ revision }) => revision))].toSorted()).toEqual([0, 1, 2]);
      for (const { decision, source } of parsed) {
        expect([decision, source]).toEqual(["UNKNOWN", expect.objectContaining({ topic: topics.live, offset: "0" })]);
      }
      worker.child.kill("SIGTERM");
      expect((await worker.ended).status).toBe(0);
    },
    TIMEOUT_MS,
  );

  brokerTest(
    "begins where the last complete run ended; a dry run and one with flags move nothing",
    async () => {
      const topics = await weirTopics(kafka, sharedBootstrap, PARTITIONS);
      const ids = Array.from({ length: 2_500 }, (_, i) => sha256(`verdict ${i}`));
      await deadLetters(
        topics.deadLetters,
        ids.map((id) => ({ id })),
      );
      const [first = "", second = ""] = ids;
      await deadLetters(topics.deadLetters, [
        { id: first, revision: 1 },
        { id: second, headers: { "weir-bytes": "5000" } },
        { id: second, headers: { "weir-reasons": "TICKET_UNREADABLE" } },
        { id: "somebody else's" },
        { id: sha256("early"), headers: { "weir-failed-at": "2026-01-01T00:00:00.000Z" } },
        { id: sha256("other"), headers: { "weir-reasons": "ITEM_FAILED,DEADLINE_PASSED" } },
      ]);

      const dry = await replay(topics);
      expect(dry).toContain("Would replay 2502 of 2506 dead letters");
      expect(dry).toMatch(/ 2501 {2}SERVICE_UNAVAILABLE\n/);
      expect(dry).toMatch(/by day:\n +1 {2}2026-01-01\n +2501 {2}2026-01-31\n/);
      for (const skipped of ["older than another letter", "no dead letters of Weir's", "longer than", "tickets that"]) {
        expect(dry).toMatch(new RegExp(` 1 {2}${skipped}`));
      }
      const some = await replay(topics, "--reason", "ITEM_FAILED", "--since", "2026-01-02", "--run");
      expect(some).toContain("Replayed 1 of 2506 dead letters");
      expect(some).toContain("The next replay begins where this one did");
      expect(await tickets(topics, 1)).toMatchObject([
        {
          key: sha256("other"),
          headers: { traceparent: "00-trace" },
          ticket: { verdict_id: sha256("other"), revision: 1, attempt: 1, checks: [], lane: "backfill" },
        },
      ]);

      expect(await replay(topics, "--run")).toContain("Replayed 2502 of 2506 dead letters");
      const all = await tickets(topics, 2_502);
      expect(all.length).toBe(2_502);
      expect(all.find(({ key }) => key === first)?.ticket.revision).toBe(2);
      expect(await replay(topics)).toContain("holds no dead letters since the last complete replay");
      await deadLetters(topics.deadLetters, [{ id: second, revision: 1 }]);
      expect(await replay(topics, "--run")).toContain("Replayed 1 of 1 dead letters");
      expect(await replay(topics, "--all")).toContain("Would replay 2502 of 2507 dead letters");
    },
    TIMEOUT_MS,
  );

  brokerTest(
    "killed in between, it replays again what it had replayed, and loses nothing",
    async () => {
      const topics = await weirTopics(kafka, sharedBootstrap, PARTITIONS);
      const ids = Array.from({ length: 3_000 }, (_, i) => sha256(`verdict ${i}`));
      await deadLetters(
        topics.deadLetters,
        ids.map((id) => ({ id })),
      );
      const running = start(["replay", "--run"], topics.env);
      await readUntil(kafka, `${topics.retryPrefix}.10s`, ({ length }) => length > 0, "a ticket");
      running.child.kill("SIGKILL");
      await running.ended;

      await replay(topics, "--run");
      const written = await tickets(topics, 3_000);
      expect(new Set(written.map(({ key }) => key))).toEqual(new Set(ids));
      expect(new Set(written.map(({ ticket }) => ticket.revision))).toEqual(new Set([1]));
    },
    TIMEOUT_MS,
  );

  brokerTest("a reason that there is not is refused, with those that there are", async () => {
    const { env } = await weirTopics(kafka, sharedBootstrap, PARTITIONS);
    const { status, stderr } = await run(["replay", "--reason", "SERVICE_DOWN"], env);

    expect(status).toBe(1);
    expect(stderr).toContain("--reason SERVICE_DOWN: no such reason; there are EVENT_MALFORMED, ");
  });
});
