import { gunzipSync, gzipSync } from "node:zlib";
import { Kafka } from "kafkajs";
import { expect, onTestFinished } from "vitest";
import { sha256 } from "../../src/kernel/hash.ts";
import { Verdict } from "../../src/messages/verdict.ts";
import { clusterTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { type RawObject, rawBucket } from "../servers/raw-bucket.ts";
import { addressEvent, produce, quiet } from "../servers/records.ts";
import { s3Env, startS3 } from "../servers/s3-server.ts";
import { readUntil, weirTopics } from "../servers/weir-topics.ts";
import { eventually } from "../support/eventually.ts";
import { served } from "../support/served.ts";
import { run, start } from "../support/weir.ts";

const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
const EVENTS = 1_500;
/** Ten audits. Each waits until the group of the previous audit is empty. */
const TIMEOUT_MS = 480_000;

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
    const bucket = rawBucket(s3);

    let worker = work();
    await produce(
      kafka,
      topics.bulk,
      Array.from({ length: 500 }, (_, i) => addressEvent(i)),
    );
    await eventually(bucket.keys, ({ length }) => length > 1, "some objects");
    worker.child.kill("SIGKILL");
    await worker.ended;
    worker = work();
    const [, admin = ""] = await worker.untilSaid(/"url":"(http:[^"]+)","msg":"the admin server listens/);
    await s3.kill();
    await produce(
      kafka,
      topics.bulk,
      Array.from({ length: EVENTS - 500 }, (_, i) => addressEvent(500 + i)),
    );
    const isEnough = (read: readonly { value: string }[]) =>
      new Set(read.map(({ value }) => Verdict.parse(JSON.parse(value)).event_id)).size >= EVENTS;
    // The store is down, and verdicts still arrive.
    const verdicts = await readUntil(kafka, topics.verdicts, isEnough, "a verdict on every event");
    const metrics = await (await fetch(`${admin}/metrics`)).text();
    expect(metrics).toMatch(/weir_verdicts_total\{lane="backfill",decision="ALLOW"\} \d{3,}/);
    expect(metrics).toMatch(/weir_commits_total\{group="events",outcome="taken"\} [1-9]/);
    const read = async (path: string) => (await fetch(`${admin}${path}`)).text();
    // The start position comes from the store, unless there is a commit. Both requests fail.
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
      const { status, stdout, stderr } = await run(["audit"], { ...topics.env, ...archive });
      const [, count, compared] = /(\d+) verdicts:.* (\d+) compared with the topic/.exec(stdout) ?? [];
      return { status, stdout, stderr, verdicts: Number(count), compared: Number(compared) };
    };
    // The archive commits a partition after its objects are stored.
    const isWhole = (seen: Awaited<ReturnType<typeof audited>>) =>
      seen.verdicts >= verdicts.length && !seen.stdout.includes("nothing_committed");
    const whole = await eventually(audited, isWhole, "everything archived and committed");
    expect([whole.status, whole.stdout.split("\n")[0]]).toEqual([0, expect.stringContaining("; 0 findings")]);
    expect(whole.compared).toBe(whole.verdicts);
    worker.child.kill("SIGTERM");
    expect((await worker.ended).status).toBe(0);
    expect(worker.said()).not.toContain(s3.credentials.secretAccessKey);

    // An independent check: every line of every object is compared with the records of the topic.
    const keys = await bucket.keys();
    const kept = new Map(await Promise.all(keys.map(async (key) => [key, await bucket.get(key)] as const)));
    const archived = (partition: string) =>
      [...kept]
        .filter(([key]) => key.includes(partition))
        .map(([, { bytes }]) => gunzipSync(bytes).toString("utf8"))
        .join("");
    const written = await readUntil(kafka, topics.verdicts, (all) => all.length >= whole.verdicts, "the whole topic");
    for (const partition of [0, 1]) {
      const values = written.filter((each) => each.partition === partition).map(({ value }) => `${value}\n`);
      expect(archived(`/p=0000${partition}/`)).toBe(values.join(""));
    }

    const ofFirst = keys.filter((key) => key.includes("/p=00000/"));
    const [first = "", second = "", third = ""] = ofFirst;
    const [beforeLast = "", last = ""] = ofFirst.slice(-2);
    const object = (key: string) => kept.get(key) ?? { bytes: Buffer.alloc(0), metadata: {} };
    /** The findings of an audit with these objects in place of the originals; undefined removes an object. */
    const foundWith = async (damage: Readonly<Record<string, RawObject | undefined>>) => {
      for (const [key, other] of Object.entries(damage)) {
        await (other === undefined ? bucket.remove(key) : bucket.put(key, other));
      }
      const { status, stdout, stderr } = await audited();
      for (const key of Object.keys(damage)) await bucket.put(key, object(key));
      expect(status, stderr).toBe(2);
      const places = stdout.split("\n").slice(0, -2);
      return places.map((line) => line.split("  ").slice(0, 2).join(" "));
    };
    const { bytes, metadata } = object(second);
    const lines = gunzipSync(bytes).toString("utf8");
    const edited = lines.replace('"decision":"ALLOW"', '"decision":"BLOCK"');
    expect(edited).not.toBe(lines);

    expect(await foundWith({ [second]: undefined })).toEqual([`gap ${third}`, `chain_broken ${third}`]);
    expect(await foundWith({ [first]: undefined })).toEqual([`beginning_missing ${second}`]);
    expect(await foundWith({ [last]: undefined })).toEqual(["end_missing partition 0"]);
    expect(await foundWith({ [second]: { bytes: bytes.subarray(0, bytes.length / 2), metadata } })).toEqual([
      `object_unreadable ${second}`,
    ]);
    expect(await foundWith({ [second]: { bytes: gzipSync(edited), metadata } })).toEqual([
      `hash_mismatch ${second}`,
      `other_decision ${second}`,
      `not_in_topic ${second}`,
    ]);
    const forged = { bytes: gzipSync(edited), metadata: { ...metadata, sha256: sha256(edited) } };
    expect(await foundWith({ [second]: forged })).toEqual([
      `other_decision ${second}`,
      `not_in_topic ${second}`,
      `chain_broken ${third}`,
    ]);
    expect(await foundWith({ [first]: object(second), [second]: object(first) })).toEqual([
      `key_mismatch ${first}`,
      `beginning_missing ${first}`,
      `key_mismatch ${second}`,
      `overlap ${second}`,
      `chain_broken ${second}`,
      `gap ${third}`,
      `chain_broken ${third}`,
    ]);
    const { end = "" } = object(last).metadata;
    const stretched = { ...object(beforeLast), metadata: { ...object(beforeLast).metadata, end } };
    expect(await foundWith({ [beforeLast]: stretched, [last]: undefined })).toEqual([
      `commit_mismatch ${beforeLast}`,
      `not_in_topic ${beforeLast}`,
    ]);
    expect((await audited()).status).toBe(0);

    // A process that only archives has the health checks of a worker.
    const archiving = start(["archive"], { ...env, ...cuts });
    const [, own = ""] = await archiving.untilSaid(/"url":"(http:[^"]+)","msg":"the admin server listens/);
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
