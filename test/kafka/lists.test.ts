import { execFile } from "node:child_process";
import { appendFile, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { Kafka } from "kafkajs";
import { expect, onTestFinished } from "vitest";
import { sha256 } from "../../src/kernel/hash.ts";
import { Verdict } from "../../src/messages/verdict.ts";
import { clusterTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { rawBucket } from "../servers/raw-bucket.ts";
import { produce, quiet } from "../servers/records.ts";
import { s3Env, startS3 } from "../servers/s3-server.ts";
import { readUntil, weirTopics } from "../servers/weir-topics.ts";
import { BROKERS_MS, eventually } from "../support/eventually.ts";
import { served } from "../support/served.ts";
import { start } from "../support/weir.ts";

const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
const TIMEOUT_MS = 240_000;

const address = (name: string) => `0x${sha256(name).slice(0, 40)}`;
const header = "chain,address,name,kind,program,date\n";
const row = (name: string) => `evm,${address(name)},${name},sanctioned,CYBER2,2026-01-20\n`;
const deposit = (id: string, from: string) =>
  JSON.stringify({ id, type: "address", chain_id: "1", address: address(from), user_addresses: [address("user")] });

clusterTest(
  "a worker holds deposits against lists, takes a changed list while it runs, and keeps the one before a bad one",
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), "weir-lists-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const file = path.join(folder, "ofac.csv");
    /** Replaces the file as the runbook advises. */
    const replace = async (text: string) => {
      await writeFile(`${file}.new`, text);
      await rename(`${file}.new`, file);
    };
    const s3 = await startS3();
    onTestFinished(() => s3.close());
    const topics = await weirTopics(kafka, sharedBootstrap, 1);
    const env = {
      ...topics.env,
      ...s3Env(s3),
      ...(await served()),
      ARCHIVE_AGE: "1s",
      LISTS_FILES: file,
      LISTS_MAX_AGE: "36500d",
    };
    const screened = async (id: string, from: string) => {
      await produce(kafka, topics.live, [deposit(id, from)]);
      let found: Verdict | undefined;
      const isThere = (read: readonly { value: string }[]) => {
        found = read.map(({ value }) => Verdict.parse(JSON.parse(value))).find(({ event_id }) => event_id === id);
        return found !== undefined;
      };
      await readUntil(kafka, topics.verdicts, isThere, `a verdict on ${id}`);
      return found;
    };
    /** The part of a verdict about the blocking list. */
    const blockedBy = (text: string, name: string) => ({
      decision: "BLOCK",
      lists: expect.stringMatching(/^[0-9a-f]{16}$/),
      reasons: expect.arrayContaining([
        expect.objectContaining({
          finding: "listed_sanctioned",
          severity: "BLOCK",
          detail: expect.stringMatching(new RegExp(`${name}.*ofac\\.csv|ofac\\.csv.*${name}`)),
        }),
      ]),
      checks: expect.arrayContaining([
        expect.objectContaining({
          check: "listed",
          data: {
            matches: [
              expect.objectContaining({ list: expect.objectContaining({ name: "ofac.csv", sha256: sha256(text) }) }),
            ],
          },
        }),
      ]),
    });

    // Without its list a worker does not start at all.
    const early = start(["worker"], env);
    expect(await early.ended).toMatchObject({ status: 1, stderr: expect.stringContaining("there is no such file") });

    const first = header + row("Lazarus");
    // A reader of a pipe waits until there is a writer.
    await promisify(execFile)("mkfifo", [file]);
    const worker = start(["worker"], env);
    const [, url = ""] = await worker.untilSaid(/"url":"(http:[^"]+)","msg":"the admin server listens/);
    const get = async (place: string) => {
      const answer = await fetch(`${url}${place}`);
      return { status: answer.status, text: await answer.text() };
    };
    expect(await get("/readyz")).toEqual({
      status: 503,
      text: expect.stringContaining("the lists are not loaded yet"),
    });
    expect(worker.said()).not.toContain('"msg":"a list is in use"');
    await writeFile(file, first);
    await replace(first);
    await eventually(
      () => get("/readyz"),
      ({ status }) => status === 200,
      "a ready worker",
      BROKERS_MS,
    );
    expect(worker.said()).toContain('"msg":"a list is in use"');
    const metric = async (pattern: RegExp) => Number(pattern.exec((await get("/metrics")).text)?.[1]);
    expect(await metric(/^weir_list_entries\{list="ofac.csv"\} (\S+)$/m)).toBe(1);
    const since2026 = (Date.now() - Date.parse("2026-01-20")) / 1_000;
    const age = await metric(/^weir_list_age_seconds\{list="ofac.csv"\} (\S+)$/m);
    expect(Math.abs(age - Math.max(0, since2026))).toBeLessThan(60);
    expect(await metric(/^weir_list_not_reloaded (\S+)$/m)).toBe(0);

    const one = await screened("1", "Lazarus");
    expect(one).toMatchObject(blockedBy(first, "Lazarus"));
    const before = await screened("2", "Newcomer");
    expect(before).toMatchObject({ decision: "ALLOW", lists: one?.lists });

    const second = first + row("Newcomer");
    await replace(second);
    const entries = () => metric(/^weir_list_entries\{list="ofac.csv"\} (\S+)$/m);
    await eventually(entries, (count) => count === 2, "the changed list", BROKERS_MS);
    const after = await screened("3", "Newcomer");
    expect(after).toMatchObject(blockedBy(second, "Newcomer"));
    expect(after?.lists).not.toBe(one?.lists);

    // A partly written row is no entry.
    await appendFile(file, `evm,${address("Third").slice(0, 20)}`);
    const refused = () => metric(/^weir_list_not_reloaded (\S+)$/m);
    await eventually(refused, (value) => value === 1, "a refused list", BROKERS_MS);
    const kept = await screened("4", "Newcomer");
    expect(kept).toMatchObject({ ...blockedBy(second, "Newcomer"), lists: after?.lists });
    await replace(second);
    await eventually(refused, (value) => value === 0, "the good list again", BROKERS_MS);

    // The archive holds every set of lists that a verdict names.
    const bucket = rawBucket(s3);
    const keys = await eventually(
      bucket.keys,
      (all) => all.filter((key) => key.includes("v1/")).length > 0,
      "an archived object",
      BROKERS_MS,
    );
    for (const id of [one?.lists, after?.lists]) {
      const key = keys.find((each) => each.endsWith(`lists/${id}.json`)) ?? `no lists/${id}.json`;
      const { bytes } = await bucket.get(key);
      const text = id === one?.lists ? first : second;
      expect(JSON.parse(bytes.toString("utf8"))).toMatchObject({
        id,
        lists: [{ name: "ofac.csv", sha256: sha256(text), date: "2026-01-20" }],
      });
    }
    worker.child.kill("SIGTERM");
    expect((await worker.ended).status).toBe(0);
  },
  TIMEOUT_MS,
);
