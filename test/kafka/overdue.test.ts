import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Kafka } from "kafkajs";
import { expect, onTestFinished } from "vitest";
import { Verdict } from "../../src/messages/verdict.ts";
import { startService } from "../chaos/service-process.ts";
import { brokerTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { addressEvent, produceOnce, quiet } from "../servers/records.ts";
import { type Read, readUntil, weirTopics } from "../servers/weir-topics.ts";
import { standing } from "../support/standing-verdict.ts";
import { type Env, start } from "../support/weir.ts";

const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
const TIMEOUT_MS = 180_000;
const SERVICE_API_KEY = "key-of-the-overdue";
const PARTITIONS = 3;
const HOUR = 3_600_000;

const verdictsIn = (read: readonly Read[]) => read.map(({ value }) => Verdict.parse(JSON.parse(value)));
const idsIn = (read: readonly Read[], revision: number) =>
  new Set(verdictsIn(read).flatMap((each) => (each.revision === revision ? [each.event_id] : [])));

/** Events with an answer. */
const answeredIn = (read: readonly Read[]) =>
  new Set(verdictsIn(read).flatMap((each) => (each.decision === "UNKNOWN" ? [] : [each.event_id])));

/** A service with a state that the test sets, topics, and events that were written an hour ago. */
async function backlogOf(count: number, more: Env = {}) {
  const folder = await mkdtemp(path.join(tmpdir(), "weir-overdue-"));
  const service = await startService(SERVICE_API_KEY, path.join(folder, "service.log"));
  onTestFinished(() => service.close());
  const topics = await weirTopics(kafka, sharedBootstrap, PARTITIONS);
  const env = { ...topics.env, SERVICE_URL: `http://127.0.0.1:${service.port}`, SERVICE_API_KEY, ...more };
  const timestamp = String(Date.now() - HOUR);
  const records = Array.from({ length: count }, (_, i) => ({
    value: addressEvent(i),
    partition: i % PARTITIONS,
    timestamp,
  }));
  await produceOnce(kafka, topics.live, records);
  return { service, topics, work: () => start(["worker"], env) };
}

/** Number of records in the retry topics of a worker. */
async function ticketsOf(retryPrefix: string): Promise<number> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const topics = ["10s", "1m", "10m"].map((tier) => `${retryPrefix}.${tier}`);
    const ends = await Promise.all(topics.map((topic) => admin.fetchTopicOffsets(topic)));
    return ends.flat().reduce((sum, { high }) => sum + Number(high), 0);
  } finally {
    await admin.disconnect();
  }
}

/** Resets the group to the beginning, as after a crash before its first commit. */
async function forget(groupId: string, topic: string): Promise<void> {
  const admin = kafka.admin();
  await admin.connect();
  try {
    const partitions = Array.from({ length: PARTITIONS }, (_, partition) => ({ partition, offset: "0" }));
    await admin.setOffsets({ groupId, topic, partitions });
  } finally {
    await admin.disconnect();
  }
}

brokerTest(
  "events that are past their deadline when they are read have one verdict each, and no ticket",
  async () => {
    // A busy test machine may be delayed for longer than the default.
    const { topics, work } = await backlogOf(3_000, { OVERDUE_GRACE: "30s" });
    const worker = work();
    const read = await readUntil(kafka, topics.verdicts, (all) => idsIn(all, 0).size === 3_000, "all verdicts");

    expect(read).toHaveLength(3_000);
    expect(new Set(verdictsIn(read).map(({ decision }) => decision))).toEqual(new Set(["ALLOW"]));
    expect(await ticketsOf(topics.retryPrefix)).toBe(0);
    worker.child.kill("SIGTERM");
    expect((await worker.ended).status).toBe(0);
  },
  TIMEOUT_MS,
);

brokerTest(
  "a backlog for which the service takes longer than the grace has one verdict each, too",
  async () => {
    const COUNT = 2_000;
    const dialect = path.join(await mkdtemp(path.join(tmpdir(), "weir-dialect-")), "dialect.yaml");
    // A request for some twenty events, and ten requests a second.
    await writeFile(dialect, "schema: weir.dialect/1\nlimits: { items: 50 }\n");
    const { topics, work } = await backlogOf(COUNT, { SERVICE_DIALECT: dialect, SERVICE_QUOTA: "10/1s" });
    const worker = work();
    const all = await readUntil(kafka, topics.verdicts, (read) => answeredIn(read).size === COUNT, "all answers");

    expect(all.length).toBeLessThanOrEqual(1.05 * COUNT);
    worker.child.kill("SIGTERM");
    expect((await worker.ended).status).toBe(0);
  },
  TIMEOUT_MS,
);

brokerTest(
  "what was decided before a crash stands before an UNKNOWN of its revision that lacks an answer",
  async () => {
    const COUNT = 30;
    const { service, topics, work } = await backlogOf(COUNT);
    const before = work();
    await readUntil(kafka, topics.verdicts, (all) => idsIn(all, 0).size === COUNT, "all verdicts");
    before.child.kill("SIGTERM");
    await before.ended;
    await forget(topics.group, topics.live);
    await service.set("hang");
    work();
    const again = await readUntil(
      kafka,
      topics.verdicts,
      ({ length }) => length >= 2 * COUNT,
      "a verdict again on each",
    );

    const saidAgain = again.filter(({ headers }) => headers["weir-unanswered"] === "true");
    expect(
      new Set(verdictsIn(saidAgain).map((each) => [each.decision, each.revision, each.unanswered].join())),
    ).toEqual(new Set(["UNKNOWN,0,true"]));
    expect(idsIn(saidAgain, 0).size).toBe(COUNT);
    for (const [id, said] of Map.groupBy(verdictsIn(again), ({ verdict_id }) => verdict_id)) {
      expect(said.map(({ decision }) => decision).toSorted(), id).toEqual(["ALLOW", "UNKNOWN"]);
      expect([standing(said)?.decision, standing(said.toReversed())?.decision], id).toEqual(["ALLOW", "ALLOW"]);
    }
    await service.set("well");
    const all = await readUntil(kafka, topics.verdicts, (read) => idsIn(read, 1).size === COUNT, "the next revisions");
    for (const [id, said] of Map.groupBy(verdictsIn(all), ({ verdict_id }) => verdict_id))
      expect(standing(said), id).toMatchObject({ decision: "ALLOW", revision: 1 });
  },
  TIMEOUT_MS,
);
