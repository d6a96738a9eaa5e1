import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { Kafka } from "kafkajs";
import { describe, expect } from "vitest";
import { brokerTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { quiet } from "../servers/records.ts";
import { recreateTopic } from "../servers/recreate-topic.ts";
import { type Read, readUntil, type WeirTopics, weirTopics } from "../servers/weir-topics.ts";
import { eventually } from "../support/eventually.ts";
import { emptyFolder } from "../support/folder.ts";
import { run, start } from "../support/weir.ts";

const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
const TIMEOUT_MS = 120_000;

const address = (i: number) => `0x${i.toString(16).padStart(40, "0")}`;
const event = (i: number, own: object = {}) =>
  JSON.stringify({ type: "address", chain_id: "1", address: address(i), ...own });

async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const file = path.join(await emptyFolder(), name);
  await writeFile(file, content);
  return file;
}

/** The ids in a topic: each line at least once. */
const idsOf = (records: readonly Read[]) => new Set(records.map(({ value }) => JSON.parse(value).id as string));
const stateOf = async (file: string) => JSON.parse(await readFile(`${file}.enqueued.json`, "utf8"));

describe("weir enqueue", () => {
  brokerTest(
    "sends every line once, with an id and its subject as key; the second run sends what was added, and nothing else",
    async () => {
      const { env, bulk } = await weirTopics(kafka, sharedBootstrap);
      const big = `{"type":"address","chain_id":"1","address":"${address(3)}","ref":9007199254740993}`;
      const file = await fileOf("events.ndjson", `${event(1)}\n\n${event(2, { id: "order-2" })}\n{\n${big}\n`);

      const first = await run(["enqueue", file], env);
      expect(first.stderr).toContain("weir: line 4 is no event: not valid JSON");
      expect(first.stdout).toMatch(/^Sent to \S+: 4 \(.*\/s\)\nNo events: 1; they were sent as they are/);
      expect(first.status).toBe(2);
      const again = await run(["enqueue", file], env);
      expect([again.status, again.stdout]).toEqual([0, `Nothing to send: all lines up to 5 are in ${bulk} already.\n`]);
      await writeFile(file, `${await readFile(file, "utf8")}${event(4)}\n`);
      const more = await run(["enqueue", file], env);
      expect(more.stdout).toContain("The lines up to 5 were there before this run.");

      // A send with a late answer is repeated, so a record may occur twice.
      const keysOf = (read: readonly Read[]) => new Map(read.map(({ key, value }) => [key, value]));
      const byKey = keysOf(await readUntil(kafka, bulk, (read) => keysOf(read).size === 5, "five records"));
      expect(byKey.get(`evm:${address(1)}`)).toBe(event(1).replace("{", '{"id":"events.ndjson/1",'));
      expect(byKey.get(`evm:${address(2)}`)).toBe(event(2, { id: "order-2" }));
      expect(byKey.get(`evm:${address(3)}`)).toBe(big.replace("{", '{"id":"events.ndjson/5",'));
      expect([...byKey.values()]).toContain("{");
    },
    TIMEOUT_MS,
  );

  brokerTest(
    "killed again and again, it loses no line",
    async () => {
      const LINES = 20_000;
      const topics = await weirTopics(kafka, sharedBootstrap);
      const file = await fileOf("many.ndjson", Array.from({ length: LINES }, (_, i) => `${event(i)}\n`).join(""));
      const command = ["enqueue", file, "--rate", "4000/s"];
      let done = 0;
      for (const upTo of [2_000, 8_000]) {
        const running = start(command, topics.env);
        const state = await eventually(
          () => stateOf(file).catch(() => ({ lines: 0 })),
          ({ lines }) => lines > Math.max(upTo, done),
          `${upTo} lines`,
        );
        running.child.kill("SIGKILL");
        await running.ended;
        done = (await stateOf(file)).lines;
        expect(done).toBeGreaterThanOrEqual(state.lines);
      }
      const stopped = start(command, topics.env);
      await eventually(
        async () => (await stateOf(file)).lines,
        (lines) => lines > done,
        "some more lines",
      );
      stopped.child.kill("SIGTERM");
      const { status, stderr } = await stopped.ended;
      expect([status, stderr]).toEqual([1, expect.stringContaining("stopped; the same command continues the run")]);
      const last = await run(["enqueue", file], topics.env);
      expect(last.status).toBe(0);

      await readUntil(kafka, topics.bulk, (read) => idsOf(read).size === LINES, "every line");
      expect((await stateOf(file)).lines).toBe(LINES);
    },
    TIMEOUT_MS,
  );

  brokerTest(
    "a packed CSV, a list from standard input: as JSON, where they were told to go",
    async () => {
      const topics = await weirTopics(kafka, sharedBootstrap);
      const { live } = topics;
      const csv = await fileOf("rows.csv.gz", gzipSync(`chain,address,users\neth,${address(1)},${address(2)}\n`));
      const into = ["--topic", live];
      expect((await run(["enqueue", csv, ...into], topics.env)).status).toBe(0);
      const listed = await run(["enqueue", "-", "--chain", "eth", ...into], topics.env, `${address(3)}\n`);
      expect(listed.stdout).toContain(`Sent to ${live}: 1 (`);

      const records = await readUntil(kafka, live, ({ length }) => length >= 2, "two records");
      expect(records.map(({ value }) => JSON.parse(value))).toEqual(
        expect.arrayContaining([
          { type: "address", chain_id: "eth", address: address(1), user_addresses: [address(2)], id: "rows.csv.gz/2" },
          { type: "address", chain_id: "eth", address: address(3), id: "stdin/1" },
        ]),
      );
    },
    TIMEOUT_MS,
  );

  brokerTest(
    "a CSV that grows: a row waits until it is whole, and goes on from the state that is kept",
    async () => {
      const { env, bulk } = await weirTopics(kafka, sharedBootstrap);
      const whole = `chain,address,note,ref\neth,${address(1)},,a\neth,${address(2)},"n\nm",order-12\n`;
      const file = await fileOf("grown.csv", "");
      const sizes = [whole.indexOf("\nm") + 1, whole.indexOf('",order') + 1, whole.indexOf("-12") + 2];
      for (const size of sizes) {
        await writeFile(file, whole.slice(0, size));
        const { status, stdout } = await run(["enqueue", file], env);
        expect([status, (await stateOf(file)).lines]).toEqual([2, 2]);
        expect(stdout).toMatch(/^waiting: lines? 3.* not sent\. Run again when the file has grown/m);
      }
      await writeFile(file, whole);
      expect((await run(["enqueue", file], env)).status).toBe(0);

      const records = await readUntil(kafka, bulk, (read) => idsOf(read).size === 2, "two records");
      expect(new Map(records.map(({ value }) => [JSON.parse(value).id, JSON.parse(value).ref]))).toEqual(
        new Map([
          ["grown.csv/2", "a"],
          ["grown.csv/3", "order-12"],
        ]),
      );
    },
    TIMEOUT_MS,
  );

  brokerTest(
    "sends every line again to a topic that was made anew under its name, and says so",
    async () => {
      const { env, bulk } = await weirTopics(kafka, sharedBootstrap);
      const file = await fileOf("again.ndjson", Array.from({ length: 30 }, (_, i) => `${event(i)}\n`).join(""));
      expect((await run(["enqueue", file], env)).status).toBe(0);
      const { topic_id: oldId } = await stateOf(file);
      await recreateTopic(kafka, bulk, 3);

      const again = await run(["enqueue", file], env);
      expect(again.stdout).toContain(`Sent to ${bulk}: 30 (`);
      expect(again.stderr).toContain("the topic was recreated after earlier lines were sent: Weir sends every line");
      await readUntil(kafka, bulk, (read) => idsOf(read).size === 30, "every line");
      const { topic_id: newId, lines } = await stateOf(file);
      expect([lines, newId === oldId]).toEqual([30, false]);
      expect((await run(["enqueue", file], env)).stdout).toContain("Nothing to send");
    },
    TIMEOUT_MS,
  );

  describe("weir enqueue refuses", () => {
    const refusal = async ({ env }: WeirTopics, args: readonly string[]) => {
      const { status, stderr, stdout } = await run(["enqueue", ...args], env);
      expect([status, stdout]).toEqual([1, ""]);
      return stderr;
    };

    brokerTest(
      "a file that changed, another topic, other flags, and a topic that nobody reads or that is not there",
      async () => {
        const topics = await weirTopics(kafka, sharedBootstrap);
        const file = await fileOf("list.txt", `${address(1)}\n${address(2)}\n`);
        expect((await run(["enqueue", file, "--chain", "eth"], topics.env)).status).toBe(0);

        expect(await refusal(topics, [file, "--chain", "bsc"])).toContain("the lines up to 2 are not those");
        expect(await refusal(topics, [file, "--chain", "eth", "--topic", topics.live])).toContain(
          `2 lines were enqueued to ${topics.bulk}, not ${topics.live}`,
        );
        await writeFile(file, `${address(1)}\n`);
        expect(await refusal(topics, [file, "--chain", "eth"])).toContain(
          "line 2 was enqueued before, and is no longer",
        );
        expect(await refusal(topics, [file, "--topic", "elsewhere"])).toContain("no worker reads it");
        const missing = { ...topics, env: { ...topics.env, TOPICS_BACKFILL: "not-there" } };
        expect(await refusal(missing, [file])).toContain("topic not-there (backfill): does not exist");
      },
      TIMEOUT_MS,
    );
  });
});
