import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Kafka } from "kafkajs";
import { expect } from "vitest";
import { sha256 } from "../../src/kernel/hash.ts";
import { brokerTest, sharedBootstrap } from "../servers/kafka-tests.ts";
import { produce, quiet } from "../servers/records.ts";
import { weirTopics } from "../servers/weir-topics.ts";
import { BROKERS_MS, eventually } from "../support/eventually.ts";
import { emptyFolder } from "../support/folder.ts";
import { answering, listen, sendJson } from "../support/http-server.ts";
import { SERVICE_KEY } from "../support/served.ts";
import { start } from "../support/weir.ts";

const kafka = new Kafka({ ...quiet, brokers: [...sharedBootstrap] });
const QUOTA = 20;
const WINDOW_MS = 1_000;
const classified = {
  address_type: "Contract",
  classification: "ERC20",
  classification_id: 1,
  details: { is_verified: true, proxy_impl_address: "", proxy_impl_type: "" },
  is_erc20: "1",
  scanned_time: 1_767_225_600,
  status: 1,
  timestamp: "2026-01-01T00:00:00.000Z",
  verify_status: "Verified",
};

/** A service that accepts `QUOTA` requests in any window, and records the time of each. */
async function countingService() {
  const taken: number[] = [];
  let refused = 0;
  const url = await listen(
    answering(({ url: asked }, response) => {
      const now = performance.now();
      if (taken.filter((at) => at > now - WINDOW_MS).length >= QUOTA) {
        refused++;
        sendJson(response, 429, { code: "429", status: "error", message: "Rate limit exceeded" });
      } else {
        taken.push(now);
        const address = `eth:${new URL(asked, "http://service").searchParams.get("address")}`;
        sendJson(response, 200, { code: "0", status: "ok", data: { address, ...classified } });
      }
    }),
  );
  const perSecond = (fromMs: number, untilMs: number) =>
    (1_000 * taken.filter((at) => at > fromMs && at <= untilMs).length) / (untilMs - fromMs);
  return { url, perSecond, total: () => taken.length, refused: () => refused };
}

function event(i: number): string {
  const address = `0x${sha256(`address ${i}`).slice(0, 40)}`;
  return JSON.stringify({ id: `event-${i}`, type: "address", chain_id: "1", address });
}

/** A policy that needs a separate request for each address. */
async function classifyingPolicy(): Promise<string> {
  const policy = JSON.parse(await readFile(path.resolve(import.meta.dirname, "../../data/policy.json"), "utf8"));
  policy.tables.default.required_checks.address = ["classification"];
  const file = path.join(await emptyFolder(), "policy.json");
  await writeFile(file, JSON.stringify(policy));
  return file;
}

brokerTest(
  "three workers keep to a quota together, and two of them use what a killed one leaves within 12 s",
  async () => {
    const service = await countingService();
    const topics = await weirTopics(kafka, sharedBootstrap);
    const events = Array.from({ length: 3_000 }, (_, i) => event(i));
    await produce(kafka, topics.bulk, events);
    const env = {
      ...topics.env,
      SERVICE_URL: service.url,
      SERVICE_API_KEY: SERVICE_KEY,
      SERVICE_QUOTA: `${QUOTA}/1s`,
      POLICY_FILE: await classifyingPolicy(),
    };
    const workers = Array.from({ length: 3 }, () => start(["worker"], env));
    for (const worker of workers) await worker.untilSaid(/has joined the group.*has joined the group/s);
    // The quota is max(Q - N, Q / 2), 17 a second for three members. All work once nine tenths of it arrive.
    const recent = () => service.perSecond(performance.now() - 5_000, performance.now());
    await eventually(recent, (rate) => rate >= 0.9 * 17, "three workers use their quota", BROKERS_MS);
    const begun = performance.now();
    await delay(6_000);
    expect(service.perSecond(begun, begun + 6_000)).toBeGreaterThanOrEqual(0.85 * 17);

    const [killed] = workers;
    killed?.child.kill("SIGKILL");
    const gone = performance.now();
    await delay(12_000);
    await delay(6_000);
    // Two thirds of 17 are 11.3. Two members that know each other have 18.
    expect(service.perSecond(gone + 12_000, gone + 18_000)).toBeGreaterThanOrEqual(0.85 * 18);
    expect(service.refused() / service.total()).toBeLessThanOrEqual(0.01);
  },
  180_000,
);

brokerTest(
  "a run over a file shares the quota with a worker, and leaves it all of it when it ends",
  async () => {
    const RUN_EVENTS = 150;
    const service = await countingService();
    const topics = await weirTopics(kafka, sharedBootstrap);
    const folder = await emptyFolder();
    const input = path.join(folder, "events.ndjson");
    await writeFile(input, Array.from({ length: RUN_EVENTS }, (_, i) => `${event(-1 - i)}\n`).join(""));
    await produce(
      kafka,
      topics.bulk,
      Array.from({ length: 2_000 }, (_, i) => event(i)),
    );
    const env = {
      ...topics.env,
      SERVICE_URL: service.url,
      SERVICE_API_KEY: SERVICE_KEY,
      SERVICE_QUOTA: `${QUOTA}/1s`,
      POLICY_FILE: await classifyingPolicy(),
    };
    const worker = start(["worker"], env);
    const recent = () => service.perSecond(performance.now() - 5_000, performance.now());
    // One process has Q - 1.
    await eventually(recent, (rate) => rate >= 0.85 * 19, "the worker uses the quota", BROKERS_MS);
    const before = service.total();
    const { status, stderr } = await start(["screen", input, "--out", path.join(folder, "out")], env).ended;

    expect(status, stderr).toBe(0);
    const asked = service.total() - before;
    // While the run had its half, the worker had the other half.
    expect(asked - RUN_EVENTS).toBeGreaterThanOrEqual(0.7 * RUN_EVENTS);
    await eventually(recent, (rate) => rate >= 0.85 * 19, "the worker has all of the quota again", BROKERS_MS);
    expect(service.refused() / service.total()).toBeLessThanOrEqual(0.01);
    worker.child.kill("SIGTERM");
    expect((await worker.ended).status).toBe(0);
  },
  180_000,
);
