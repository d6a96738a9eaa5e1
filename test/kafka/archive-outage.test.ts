import { CompressionTypes, Kafka } from "kafkajs";
import { expect, onTestFinished } from "vitest";
import { Verdict } from "../../src/messages/verdict.ts";
import { clusterTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { rawBucket } from "../servers/raw-bucket.ts";
import { addressEvent, produce, quiet } from "../servers/records.ts";
import { s3Env, startS3 } from "../servers/s3-server.ts";
import { readUntil, weirTopics } from "../servers/weir-topics.ts";
import { eventually } from "../support/eventually.ts";
import { served } from "../support/served.ts";
import { start } from "../support/weir.ts";

const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
const TIMEOUT_MS = 120_000;
/** More bytes than the limit of an unpacked batch. The packed batch is small, so the broker accepts it. */
const BOMB_BYTES = 24 * 1024 * 1024;

clusterTest(
  "screening goes on while the archive inside the worker has no store, and while its consumer is dead",
  async () => {
    const s3 = await startS3();
    onTestFinished(() => s3.close());
    const topics = await weirTopics(kafka, sharedBootstrap, 1);
    const worker = start(["worker"], {
      ...topics.env,
      ...s3Env(s3),
      ...(await served()),
      ARCHIVE_VERDICTS: "10",
      ARCHIVE_AGE: "1s",
    });
    const [, admin = ""] = await worker.untilSaid(/"url":"(http:[^"]+)","msg":"the admin server listens/);
    const read = async (path: string) => (await fetch(`${admin}${path}`)).text();
    const health = async () =>
      Promise.all(["/livez", "/readyz"].map(async (path) => (await fetch(admin + path)).status));
    const shows = (what: RegExp) =>
      eventually(
        () => read("/metrics"),
        (text) => what.test(text),
        `metrics that show ${what}`,
      );
    let sent = 0;
    /** Sends `count` events, and waits for a verdict on every event so far. @returns the duration, milliseconds. */
    const screened = async (count: number) => {
      const begun = performance.now();
      await produce(
        kafka,
        topics.live,
        Array.from({ length: count }, () => addressEvent(sent++)),
      );
      const ids = (values: readonly { readonly value: string }[]) =>
        new Set(
          values
            .filter(({ value }) => value.startsWith("{"))
            .map(({ value }) => Verdict.parse(JSON.parse(value)).event_id),
        );
      await readUntil(kafka, topics.verdicts, (all) => ids(all).size >= sent, "a verdict on every event");
      return performance.now() - begun;
    };

    await screened(40);
    await shows(/^weir_archive_objects_total [1-9]/m);
    await eventually(health, (all) => all.every((status) => status === 200), "a worker that is well");

    await s3.kill();
    const took = await screened(40);
    await shows(/^weir_archive_failures_total\{step="store"\} [1-9]/m);
    await shows(/^weir_archive_oldest_seconds [1-9]/m);
    expect(await health()).toEqual([200, 200]);
    expect(took).toBeLessThan(20_000);

    await s3.start();
    await shows(/^weir_archive_verdicts_total (8\d|[1-9]\d{2})/m);
    await shows(/^weir_archive_waiting_bytes 0$/m);
    expect(await read("/metrics")).toMatch(/^weir_archive_down 0$/m);

    // No consumer can read this batch, so the archive's consumer ends again and again.
    const producer = kafka.producer();
    await producer.connect();
    const messages = [{ key: "bomb", value: Buffer.alloc(BOMB_BYTES) }];
    await producer.send({ topic: topics.verdicts, compression: CompressionTypes.GZIP, messages });
    await producer.disconnect();
    await worker.untilSaid(
      /"attempt":2,"waitMs":\d+,"msg":"the archive stopped and starts again: screening continues"/,
    );
    await shows(/^weir_archive_down 1$/m);
    await produce(
      kafka,
      topics.live,
      Array.from({ length: 40 }, () => addressEvent(sent++)),
    );
    await shows(/^weir_verdicts_total\{lane="realtime",decision="ALLOW"\} 1[2-9]\d/m);
    expect(await health()).toEqual([200, 200]);

    worker.child.kill("SIGTERM");
    expect((await worker.ended).status).toBe(0);
    expect((await rawBucket(s3).keys()).length).toBeGreaterThan(7);
  },
  TIMEOUT_MS,
);
