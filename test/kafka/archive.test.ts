import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { Kafka } from "kafkajs";
import { expect, onTestFinished } from "vitest";
import { Verdict } from "../../src/events/verdict.ts";
import { sha256 } from "../../src/kernel/sha256.ts";
import { clusterTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { produce, quiet } from "../servers/records.ts";
import { s3Env, startS3 } from "../servers/s3-server.ts";
import { readUntil, weirTopics } from "../servers/weir-topics.ts";
import { eventually } from "../support/eventually.ts";
import { served } from "../support/served.ts";
import { run, start } from "../support/weir.ts";

const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
const EVENTS = 1_500;
const TIMEOUT_MS = 240_000;

function event(i: number) {
  const address = (role: string) => `0x${sha256(`${role} ${i}`).slice(0, 40)}`;
  return JSON.stringify({
    id: `event-${i}`,
    type: "address",
    chain_id: "1",
    address: address("target"),
    user_addresses: [address("user")],
  });
}

clusterTest(
  "a worker archives what it writes, killed or without its store for a while; each damage is named by weir audit",
  async () => {
    const s3 = await startS3();
    onTestFinished(() => s3.close());
    const topics = await weirTopics(kafka, sharedBootstrap, 2);
    const archive = s3Env(s3);
    const env = { ...topics.env, ...archive, ...(await served()) };
    const cuts = { ARCHIVE_VERDICTS: "100", ARCHIVE_AGE: "1s" };
    const work = () => start(["worker"], { ...env, ...cuts });
    const objects = async () => {
      const files = await readdir(s3.bucketFolder, { recursive: true });
      return files.filter((file) => file.endsWith(".ndjson.gz")).sort();
    };

    let worker = work();
    await produce(
      kafka,
      topics.bulk,
      Array.from({ length: 500 }, (_, i) => event(i)),
    );
    await eventually(objects, ({ length }) => length > 1, "some objects");
    worker.child.kill("SIGKILL");
    await worker.ended;
    worker = work();
    const [, admin = ""] = await worker.untilSaid(/"url":"(http:[^"]+)","msg":"health and metrics/);
    await s3.kill();
    await produce(
      kafka,
      topics.bulk,
      Array.from({ length: EVENTS - 500 }, (_, i) => event(500 + i)),
    );
    const isEnough = (read: readonly { value: string }[]) =>
      new Set(read.map(({ value }) => Verdict.parse(JSON.parse(value)).event_id)).size >= EVENTS;
    // The store is away, and verdicts come all the same.
    const verdicts = await readUntil(kafka, topics.verdicts, isEnough, "a verdict on every event");
    const metrics = await (await fetch(`${admin}/metrics`)).text();
    expect(metrics).toMatch(/weir_verdicts_total\{lane="backfill",decision="ALLOW"\} \d{3,}/);
    expect(metrics).toMatch(/weir_commits_total\{group="events",outcome="taken"\} [1-9]/);
    const read = async (path: string) => (await fetch(`${admin}${path}`)).text();
    // Where it goes on is asked of the store, unless a commit says: either fails.
    const [waits, fails] = [
      /weir_archive_oldest_seconds [1-9]/,
      /weir_archive_failures_total\{step="(objects|store)"\} [1-9]/,
    ];
    await eventually(
      () => read("/metrics"),
      (text) => waits.test(text) && fails.test(text),
      "a wait for the store",
    );
    expect((await fetch(`${admin}/readyz`)).status).toBe(200);
    await s3.start();
    await eventually(
      () => read("/metrics"),
      (text) => /weir_archive_objects_total [1-9]/.test(text),
      "objects again",
    );

    const audited = async () => {
      const { status, stdout } = await run(["audit"], { ...topics.env, ...archive });
      const [, count, compared] = /(\d+) verdicts:.* (\d+) compared with the topic/.exec(stdout) ?? [];
      return { status, stdout, verdicts: Number(count), compared: Number(compared) };
    };
    const whole = await eventually(audited, (seen) => seen.verdicts >= verdicts.length, "everything archived");
    expect([whole.status, whole.stdout.split("\n")[0]]).toEqual([0, expect.stringContaining("; 0 findings")]);
    expect(whole.compared).toBe(whole.verdicts);
    worker.child.kill("SIGTERM");
    expect((await worker.ended).status).toBe(0);
    expect(worker.said()).not.toContain(s3.credentials.secretAccessKey);

    const [first = "", second = ""] = (await objects()).filter((file) => file.includes("/p=00000/"));
    const file = path.join(s3.bucketFolder, second);
    const bytes = await readFile(file);
    await writeFile(file, bytes.subarray(0, bytes.length / 2));
    expect(await audited()).toMatchObject({ status: 2, stdout: expect.stringContaining("object_unreadable") });
    await writeFile(file, bytes);
    await rm(path.join(s3.bucketFolder, first));
    expect(await audited()).toMatchObject({ status: 2, stdout: expect.stringContaining("beginning_missing") });

    // A process that only archives is watched like a worker.
    const archiving = start(["archive"], { ...env, ...cuts });
    const [, own = ""] = await archiving.untilSaid(/"url":"(http:[^"]+)","msg":"health and metrics/);
    await eventually(
      async () => (await fetch(`${own}/readyz`)).status,
      (status) => status === 200,
      "a ready archive",
    );
    expect((await fetch(`${own}/livez`)).status).toBe(200);
    expect(await (await fetch(`${own}/metrics`)).text()).toMatch(/^weir_archive_halted_partitions 0$/m);
    archiving.child.kill("SIGTERM");
    expect((await archiving.ended).status).toBe(0);
  },
  TIMEOUT_MS,
);
