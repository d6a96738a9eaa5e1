import { expect, onTestFinished } from "vitest";
import { kafkaClient } from "../../src/adapters/kafka/client/kafka-client.ts";
import { quietLog } from "../../src/kernel/log.ts";
import { Verdict } from "../../src/messages/verdict.ts";
import { startKafka } from "../servers/kafka-cluster.ts";
import { clusterTest } from "../servers/kafka-tests.ts";
import { produce } from "../servers/records.ts";
import { readUntil, weirTopics } from "../servers/weir-topics.ts";
import { served } from "../support/served.ts";
import { start } from "../support/weir.ts";

/** Maven may have to download it first. */
const TIMEOUT_MS = 300_000;
const address = (digit: string) => `0x${digit.repeat(40)}`;
const event = (id: string) =>
  JSON.stringify({ id, type: "address", chain_id: "1", address: address("a"), user_addresses: [address("b")] });

clusterTest(
  "on Kafka 3.9 the doctor finds nothing wrong, and a worker that is killed and replaced screens every event",
  async () => {
    const cluster = await startKafka({ brokers: 1, version: "3.9.2" });
    onTestFinished(() => cluster.close());
    const kafka = kafkaClient({ brokers: cluster.bootstrap, clientId: "weir-test" }, quietLog);
    const topics = await weirTopics(kafka, cluster.bootstrap);
    const env = { ...topics.env, ...(await served()) };

    const { status, stdout } = await start(["doctor"], env).ended;
    expect([status, stdout.match(/FAIL/)]).toEqual([0, null]);

    const first = start(["worker"], env);
    await produce(kafka, topics.live, [event("one")]);
    await readUntil(kafka, topics.verdicts, ({ length }) => length > 0, "a verdict");
    first.child.kill("SIGKILL");
    await first.ended;
    const second = start(["worker"], env);
    await produce(kafka, topics.live, [event("two")]);
    const idsOf = (values: readonly { readonly value: string }[]) =>
      new Set(values.map(({ value }) => Verdict.parse(JSON.parse(value)).event_id));
    const verdicts = await readUntil(kafka, topics.verdicts, (read) => idsOf(read).size === 2, "both verdicts");

    expect([...idsOf(verdicts)].toSorted()).toEqual(["one", "two"]);
    expect(new Set(verdicts.map(({ headers }) => headers["weir-decision"]))).toEqual(new Set(["ALLOW"]));
    second.child.kill("SIGTERM");
    expect((await second.ended).status).toBe(0);
  },
  TIMEOUT_MS,
);
