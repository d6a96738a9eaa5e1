import { Kafka, type Message } from "kafkajs";
import { describe, expect } from "vitest";
import { sha256 } from "../../src/kernel/hash.ts";
import { Verdict } from "../../src/messages/verdict.ts";
import { brokerTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { readTopics } from "../servers/read-topics.ts";
import { createTopic, produce, quiet } from "../servers/records.ts";
import { readUntil, weirTopics } from "../servers/weir-topics.ts";
import { committedBy } from "../support/group-member.ts";
import { SERVICE_KEY, served } from "../support/served.ts";
import { ShownSecrets } from "../support/shown-secrets.ts";
import { start } from "../support/weir.ts";

const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
const TIMEOUT_MS = 120_000;

const address = (role: string, i: number) => `0x${sha256(`${role} ${i}`).slice(0, 40)}`;
/** The target of every tenth event imitates its user. */
const isBad = (i: number) => i % 10 === 0;
function event(i: number) {
  const user = address("user", i);
  const target = isBad(i) ? `${user.slice(0, 8)}${address("t", i).slice(8, 36)}${user.slice(36)}` : address("t", i);
  return JSON.stringify({ id: `event-${i}`, type: "address", chain_id: "1", address: target, user_addresses: [user] });
}

const settled = (verdicts: ReadonlySet<string>, count: number) => verdicts.size >= count;
const idsOf = (records: readonly { readonly value: string }[]) =>
  new Set(records.map(({ value }) => Verdict.parse(JSON.parse(value)).event_id));

async function produceKeyed(topic: string, message: Message): Promise<void> {
  const producer = kafka.producer();
  await producer.connect();
  await producer.send({ topic, acks: -1, messages: [message] });
  await producer.disconnect();
}

describe("weir worker", () => {
  brokerTest(
    "killed again and again, it loses no event, and what comes twice has the same id",
    async () => {
      const EVENTS = 3_000;
      const topics = await weirTopics(kafka, sharedBootstrap);
      const env = { ...topics.env, ...(await served()) };
      const events = Array.from({ length: EVENTS }, (_, i) => event(i));
      const work = () => start(["worker"], env);
      let worker = work();
      for (let from = 0; from < EVENTS; from += 1_000) {
        await worker.untilSaid(/has joined the group.*has joined the group/s);
        await produce(kafka, topics.bulk, events.slice(from, from + 1_000));
        await readUntil(kafka, topics.verdicts, ({ length }) => length > from + 100, "some verdicts");
        worker.child.kill("SIGKILL");
        await worker.ended;
        worker = work();
      }
      const records = await readUntil(
        kafka,
        topics.verdicts,
        (read) => settled(idsOf(read), EVENTS),
        "a verdict on every event",
      );

      const decisions = new Map<string, Set<string>>();
      const places = new Map<string, Set<number>>();
      for (const { value, partition, key } of records) {
        const verdict = Verdict.parse(JSON.parse(value));
        const id = `${verdict.event_id} ${verdict.verdict_id} ${verdict.revision}`;
        decisions.set(id, new Set([...(decisions.get(id) ?? []), verdict.decision]));
        places.set(key, new Set([...(places.get(key) ?? []), partition]));
      }
      expect(decisions.size).toBe(EVENTS);
      for (const [id, said] of decisions) {
        const i = Number(/^event-(\d+) /.exec(id)?.[1]);
        expect([...said], id).toEqual([isBad(i) ? "BLOCK" : "ALLOW"]);
      }
      for (const [key, partitions] of places) expect(partitions.size, key).toBe(1);

      worker.child.kill("SIGTERM");
      const { status, stdout } = await worker.ended;
      expect(status).toBe(0);
      expect(stdout).toContain("the worker has stopped in good order");
      expect(stdout).not.toContain(SERVICE_KEY);
    },
    TIMEOUT_MS,
  );

  brokerTest(
    "what is no event is UNKNOWN and a dead letter; both lanes are read, and a trace goes on",
    async () => {
      const topics = await weirTopics(kafka, sharedBootstrap);
      const env = { ...topics.env, ...(await served()) };
      const worker = start(["worker"], env);
      await produce(kafka, topics.live, [event(0), event(1)]);
      const headers = { "x-correlation-id": "c-7", traceparent: "00-ab-cd-01", other: "x", "weir-key": "forged" };
      await produceKeyed(topics.live, { key: "wallet-7", value: '{"id":"order-7","tenant":"acme"', headers });
      const kept = { "x-correlation-id": "c-7", traceparent: "00-ab-cd-01", "weir-key": "wallet-7" };
      await produce(kafka, topics.bulk, [event(2)]);

      const verdicts = await readUntil(kafka, topics.verdicts, ({ length }) => length === 4, "four verdicts");
      const letters = await readUntil(kafka, topics.deadLetters, ({ length }) => length === 1, "one dead letter");
      expect(verdicts.map(({ headers }) => headers["weir-decision"]).toSorted()).toEqual([
        "ALLOW",
        "ALLOW",
        "BLOCK",
        "UNKNOWN",
      ]);
      expect(letters).toMatchObject([
        {
          value: '{"id":"order-7","tenant":"acme"',
          headers: { ...kept, "weir-reasons": "EVENT_MALFORMED", "weir-topic": topics.live, "weir-lane": "realtime" },
        },
      ]);
      expect(verdicts.find(({ headers: each }) => each["weir-decision"] === "UNKNOWN")?.headers).toMatchObject(kept);
      for (const each of [...verdicts, ...letters]) expect(each.headers).not.toHaveProperty("other");
      expect(worker.said()).toMatch(
        /"detail":"not valid JSON","topic":"[^"]+\.events","partition":\d,"offset":\d.*the first with this fault/,
      );
      const [, url = ""] = await worker.untilSaid(/"url":"(http:[^"]+)"/);
      const metrics = await (await fetch(`${url}/metrics`)).text();
      worker.child.kill("SIGTERM");
      expect((await worker.ended).status).toBe(0);

      const secrets = new ShownSecrets(env);
      const shown = new Set(secrets.in(metrics));
      const counts = await readTopics(kafka, topics.all, (topic, text) => {
        for (const setting of secrets.in(text)) shown.add(`${setting} in ${topic}`);
      });
      expect(secrets.in(SERVICE_KEY)).toEqual(["SERVICE_API_KEY"]);
      expect(metrics).toContain('weir_verdicts_total{lane="realtime",decision="BLOCK"} 1');
      expect(metrics).toContain('weir_archive_place{place="unset"} 1');
      expect(worker.said()).toContain("this worker archives nothing because S3_BUCKET is not set");
      expect([counts.get(topics.live), counts.get(topics.bulk), counts.get(topics.verdicts)]).toEqual([3, 1, 4]);
      expect([...shown]).toEqual([]);
    },
    TIMEOUT_MS,
  );

  brokerTest(
    "a lane may have several topics: the events of each get their verdicts, and each is committed",
    async () => {
      const topics = await weirTopics(kafka, sharedBootstrap);
      const alsoLive = await createTopic(kafka, { partitions: 2 });
      const lane = { TOPICS_REALTIME: `${topics.live},${alsoLive}` };
      const worker = start(["worker"], { ...topics.env, ...lane, ...(await served()) });
      // Both topics have records at the same offsets of the same partitions.
      await produce(kafka, topics.live, [event(0), event(1), "{"], 0);
      await produce(kafka, alsoLive, [event(2), event(10), "{"], 0);
      await produce(kafka, alsoLive, [event(3)], 1);

      const verdicts = await readUntil(kafka, topics.verdicts, ({ length }) => length >= 7, "seven verdicts");
      const said = verdicts.map(({ value }) => {
        const { event_id, decision, source } = Verdict.parse(JSON.parse(value));
        const at = "topic" in source ? [source.topic, source.partition, source.offset] : [];
        return [...at, event_id, decision].join(" ");
      });
      expect(said.toSorted()).toEqual(
        [
          `${topics.live} 0 0 event-0 BLOCK`,
          `${topics.live} 0 1 event-1 ALLOW`,
          `${topics.live} 0 2 ${topics.live}/0/2 UNKNOWN`,
          `${alsoLive} 0 0 event-2 ALLOW`,
          `${alsoLive} 0 1 event-10 BLOCK`,
          `${alsoLive} 0 2 ${alsoLive}/0/2 UNKNOWN`,
          `${alsoLive} 1 0 event-3 ALLOW`,
        ].toSorted(),
      );
      const letters = await readUntil(kafka, topics.deadLetters, ({ length }) => length >= 2, "two dead letters");
      const lanes = letters.map(({ headers }) => [headers["weir-topic"], headers["weir-lane"]].join(" "));
      expect(lanes.toSorted()).toEqual([`${topics.live} realtime`, `${alsoLive} realtime`].toSorted());
      worker.child.kill("SIGTERM");
      expect((await worker.ended).status).toBe(0);
      expect(await committedBy(kafka, topics.group, topics.live)).toEqual([3, -1, -1]);
      expect(await committedBy(kafka, topics.group, alsoLive)).toEqual([3, 1]);
    },
    TIMEOUT_MS,
  );

  brokerTest(
    "without its topics it says which, and ends; it creates none",
    async () => {
      const topics = await weirTopics(kafka, sharedBootstrap);
      const env = { ...topics.env, TOPIC_VERDICTS: `${topics.verdicts}-missing` };
      const worker = start(["worker"], { ...env, SERVICE_URL: "http://127.0.0.1:9", SERVICE_API_KEY: SERVICE_KEY });

      const { status, stderr } = await worker.ended;
      expect(status).toBe(1);
      expect(stderr).toContain(
        `the topics are not fit:\n  topic ${topics.verdicts}-missing (verdicts): does not exist`,
      );
      const admin = kafka.admin();
      await admin.connect();
      expect(await admin.listTopics()).not.toContain(`${topics.verdicts}-missing`);
      await admin.disconnect();
    },
    TIMEOUT_MS,
  );
});
