import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { Kafka } from "kafkajs";
import { expect, onTestFinished } from "vitest";
import { sha256 } from "../../src/kernel/hash.ts";
import { type FaultProxy, startProxy } from "../servers/fault-proxy.ts";
import { startKafka } from "../servers/kafka-cluster.ts";
import { clusterTest, ownBrokers } from "../servers/kafka-tests.ts";
import { type RawBucket, rawBucket } from "../servers/raw-bucket.ts";
import { produce, quiet } from "../servers/records.ts";
import { type Held, type Moment, startS3Gate } from "../servers/s3-gate.ts";
import { s3Env, startS3 } from "../servers/s3-server.ts";
import { weirTopics } from "../servers/weir-topics.ts";
import { BROKERS_MS, eventually } from "../support/eventually.ts";
import { emptyFolder } from "../support/folder.ts";
import { run, start } from "../support/weir.ts";

const TIMEOUT_MS = 300_000;

/** The proxy between the broker and its clients. */
let brokerProxy: FaultProxy | undefined;
const cluster = ownBrokers(async () => {
  const started = await startKafka({
    brokers: 1,
    advertise: async (_, realPort) => {
      brokerProxy = await startProxy({ target: { host: "127.0.0.1", port: realPort } });
      return brokerProxy.port;
    },
  });
  const close = () => Promise.all([started.close(), brokerProxy?.close()]).then(() => undefined);
  return { ...started, close };
});

/** Real verdicts, in the form of a topic's records. */
async function verdicts(count: number): Promise<readonly string[]> {
  const folder = await emptyFolder();
  const address = (role: string, i: number) => `0x${sha256(`${role} ${i}`).slice(0, 40)}`;
  const events = Array.from({ length: count }, (_, i) => {
    const event = { id: `event-${i}`, type: "address", chain_id: "1", address: address("target", i) };
    return `${JSON.stringify({ ...event, user_addresses: [address("user", i)] })}\n`;
  });
  await writeFile(path.join(folder, "events.ndjson"), events.join(""));
  const screened = await run(["screen", path.join(folder, "events.ndjson"), "--out", path.join(folder, "out")]);
  expect(screened.status, screened.stderr).toBe(0);
  const text = await readFile(path.join(folder, "out/verdicts.ndjson"), "utf8");
  return text.split("\n").slice(0, -1);
}

/** A verdict topic with one partition, an S3 server behind a gate, and archivers between the two. */
async function setUp() {
  const gates: Awaited<ReturnType<typeof startS3Gate>>[] = [];
  const s3 = await startS3({
    advertise: async (port) => {
      const opened = await startS3Gate(port);
      gates.push(opened);
      return opened.port;
    },
  });
  const [gate] = gates;
  if (gate === undefined) throw new Error("the server advertised no port");
  onTestFinished(() => Promise.all([s3.close(), gate.close()]).then(() => undefined));
  const kafka = new Kafka({ ...quiet, brokers: [...cluster().bootstrap] });
  const topics = await weirTopics(kafka, cluster().bootstrap, 1);
  const env = { ...topics.env, ...s3Env(s3) };
  const admin = kafka.admin();
  await admin.connect();
  onTestFinished(() => admin.disconnect());
  const bucket = rawBucket(s3);
  return {
    gate,
    bucket,
    env,
    write: (lines: readonly string[]) => produce(kafka, topics.verdicts, lines, 0),
    archiver: (cut: number) => start(["archive"], { ...env, ARCHIVE_VERDICTS: String(cut), ARCHIVE_AGE: "2s" }),
    /** The committed offset; -1 without a commit. */
    committed: async () => {
      const [found] = await admin.fetchOffsets({ groupId: `${topics.group}-archive`, topics: [topics.verdicts] });
      return Number(found?.partitions[0]?.offset ?? -1);
    },
    starts: async () => (await bucket.keys()).map((key) => Number(path.basename(key, ".ndjson.gz"))),
  };
}

/** The lines of all objects, as one text. */
async function archivedIn(bucket: RawBucket): Promise<string> {
  const objects = await Promise.all((await bucket.keys()).map((key) => bucket.get(key)));
  return objects.map(({ bytes }) => gunzipSync(bytes).toString("utf8")).join("");
}

/** The step at which an archiver is killed, the objects in the bucket at that moment, and the committed offset. */
const kills: readonly (readonly [string, "GET" | "HEAD" | "PUT", Moment, readonly number[], number])[] = [
  ["lists what is there", "GET", "arrived", [], -1],
  ["is about to put", "PUT", "arrived", [], -1],
  ["has put one half", "PUT", "half sent", [], -1],
  ["has put, and does not know it", "PUT", "answered", [0], -1],
  ["looks at the last object, after the listing", "HEAD", "arrived", [0], -1],
  ["was told of the last object", "HEAD", "answered", [0], -1],
  ["has committed that, and is about to put the next", "PUT", "arrived", [0], 20],
  ["has put that", "PUT", "answered", [0, 20], 20],
  ["looks at what stands there already", "HEAD", "arrived", [0, 20], 20],
  ["was told of it", "HEAD", "answered", [0, 20], 20],
];

clusterTest(
  "an archiver that is killed at any step leaves nothing that the next one does not make whole",
  async () => {
    const { gate, bucket, env, write, archiver, committed, starts } = await setUp();
    const lines = await verdicts(70);
    await write(lines);

    for (const [what, method, moment, there, until] of kills) {
      const { archiver: killed } = await heldBy(gate.hold(method, moment), () => archiver(20));
      killed.child.kill("SIGKILL");
      await killed.ended;
      expect([what, await starts(), await committed()]).toEqual([what, there, until]);
    }

    // The object is stored and verified, and its commit does not reach the broker.
    const looks = await heldBy(gate.hold("HEAD", "answered"), () => archiver(20));
    await brokerProxy?.set({ mode: "blackHole" });
    looks.held.release();
    await looks.archiver.untilSaid(/"msg":"the archive wrote an object"/);
    looks.archiver.child.kill("SIGKILL");
    await looks.archiver.ended;
    await brokerProxy?.set({ mode: "pass" });
    expect([await starts(), await committed()]).toEqual([[0, 20], 20]);

    // Verdicts that no archiver has reached are no damage, and are reported.
    const halfway = await run(["audit"], env);
    expect([halfway.status, halfway.stdout]).toEqual([
      0,
      "2 objects, 40 verdicts: 40 decided again, 0 by a policy that is not at hand, 40 compared with the topic, 1 partition held against the group's commit, 30 not archived yet; 0 findings\n",
    ]);

    const last = archiver(20);
    await eventually(committed, (offset) => offset === lines.length, "everything is committed", BROKERS_MS);
    last.child.kill("SIGTERM");
    expect((await last.ended).status).toBe(0);
    expect(await starts()).toEqual([0, 20, 40, 60]);
    expect(await archivedIn(bucket)).toBe(lines.map((line) => `${line}\n`).join(""));
    const audited = await run(["audit"], env);
    expect([audited.status, audited.stdout]).toEqual([
      0,
      "4 objects, 70 verdicts: 70 decided again, 0 by a policy that is not at hand, 70 compared with the topic, 1 partition held against the group's commit; 0 findings\n",
    ]);
  },
  TIMEOUT_MS,
);

async function heldBy(held: Promise<Held>, begin: () => ReturnType<typeof start>) {
  const archiver = begin();
  return { archiver, held: await held };
}

clusterTest.each([
  ["the zombie's", 20],
  ["the other's", 15],
] as const)(
  "two archivers at once, which cut differently: the first put that arrives stands, and both go on after it. It is %s",
  async (whose, count) => {
    const { gate, bucket, env, write, archiver, committed, starts } = await setUp();
    const lines = await verdicts(100);
    await write(lines.slice(0, 60));

    const zombie = await heldBy(gate.hold("PUT", "arrived"), () => archiver(20));
    // The group expels the stopped member, which does not know that.
    zombie.archiver.child.kill("SIGSTOP");
    const other = await heldBy(gate.hold("PUT", "arrived"), () => archiver(15));
    const [first, second] = whose === "the zombie's" ? [zombie, other] : [other, zombie];
    first.held.release();
    await eventually(starts, ([start]) => start === 0, "the first object");
    second.held.release();
    zombie.archiver.child.kill("SIGCONT");
    await eventually(committed, (offset) => offset === 60, "both at work", BROKERS_MS);
    await write(lines.slice(60));
    await eventually(committed, (offset) => offset === 100, "everything is committed", BROKERS_MS);

    for (const { archiver } of [zombie, other]) {
      archiver.child.kill("SIGTERM");
      expect((await archiver.ended).status).toBe(0);
    }
    const [key = ""] = await bucket.keys();
    expect((await bucket.get(key)).metadata).toMatchObject({ start: "0", count: String(count) });
    expect(await archivedIn(bucket)).toBe(lines.map((line) => `${line}\n`).join(""));
    const audited = await run(["audit"], env);
    expect([audited.status, audited.stdout]).toEqual([0, expect.stringMatching(/, 100 verdicts: .*; 0 findings\n$/)]);
  },
  TIMEOUT_MS,
);
