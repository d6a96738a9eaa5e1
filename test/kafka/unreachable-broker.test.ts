import { Kafka } from "kafkajs";
import { expect, onTestFinished } from "vitest";
import { startProxy } from "../servers/fault-proxy.ts";
import { startKafka } from "../servers/kafka-cluster.ts";
import { clusterTest } from "../servers/kafka-tests.ts";
import { consume, createTopic, produce, quiet } from "../servers/records.ts";

clusterTest(
  "a broker behind a black hole is given up on after the request's time, and serves again later",
  async () => {
    const proxies: Awaited<ReturnType<typeof startProxy>>[] = [];
    const cluster = await startKafka({
      brokers: 1,
      advertise: async (_, realPort) => {
        const proxy = await startProxy({ target: { host: "127.0.0.1", port: realPort } });
        proxies.push(proxy);
        return proxy.port;
      },
    });
    onTestFinished(async () => {
      await Promise.all(proxies.map((proxy) => proxy.close()));
      await cluster.close();
    });
    const [proxy] = proxies;
    const patient = { ...quiet, brokers: [...cluster.bootstrap], requestTimeout: 3000 };
    const kafka = new Kafka(patient);
    const impatient = new Kafka({ ...patient, retry: { retries: 0 } });
    const topic = await createTopic(kafka);
    await produce(kafka, topic, ["before"]);

    await proxy?.set({ mode: "blackHole" });
    const silent = await produce(impatient, topic, ["lost"]).catch((thrown: unknown) => thrown);
    await proxy?.set({ mode: "pass" });
    await produce(kafka, topic, ["after"]);

    expect(cluster.bootstrap).toEqual([`127.0.0.1:${proxy?.port}`]);
    expect(silent).toMatchObject({ cause: { name: "KafkaJSRequestTimeoutError" } });
    expect(await consume(kafka, topic, 2)).toEqual(["before", "after"]);
  },
);
