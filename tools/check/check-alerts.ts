/**
 * A real Prometheus scrapes a running worker. The alerts for a 429 storm, an S3 outage and a stopped worker must fire
 * and clear. Run by hand: it needs prometheus (Debian's package), java and mvn, and takes about ten minutes. Alerts are
 * those of deploy/prometheus/alerts.yaml, with a minute taken for 12 seconds. `node tools/check/check-alerts.ts`
 */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Kafka } from "kafkajs";
import { freePorts } from "../../test/servers/free-ports.ts";
import { startKafka } from "../../test/servers/kafka-cluster.ts";
import { quiet } from "../../test/servers/records.ts";
import { s3Env, startS3 } from "../../test/servers/s3-server.ts";
import { weirTopics } from "../../test/servers/weir-topics.ts";

const SECONDS_A_MINUTE = 12;
const PATIENCE_MS = 300_000;
const EVENTS_EVERY_MS = 50;
const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "weir-alerts-"));
const children = new Set<ChildProcess>();
const began = performance.now();
const say = (what: string) => console.log(`${((performance.now() - began) / 1000).toFixed(0).padStart(4)} s  ${what}`);

function run(command: string, args: readonly string[], env: Readonly<Record<string, string | undefined>> = {}) {
  const child = spawn(command, args, { stdio: "ignore", env: { ...process.env, ...env } });
  children.add(child);
  child.on("error", (error) => {
    console.error(`${command}: ${error.message}`);
    process.exitCode = 1;
  });
  return child;
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  children.delete(child);
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await ended;
}

const [prometheusPort = 0, adminPort = 0, servicePort = 0] = await freePorts(3);

/** Names of the firing alerts. */
async function firing(): Promise<readonly string[]> {
  const response = await fetch(`http://127.0.0.1:${prometheusPort}/api/v1/alerts`).catch(() => undefined);
  if (response === undefined) return ["no Prometheus"];
  const { data } = (await response.json()) as {
    data: { alerts: { state: string; labels: { alertname: string } }[] };
  };
  return [
    ...new Set(data.alerts.filter(({ state }) => state === "firing").map(({ labels }) => labels.alertname)),
  ].sort();
}

async function until(what: string, isSo: (alerts: readonly string[]) => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const alerts = await firing();
    if (isSo(alerts)) {
      say(`${what}; firing: ${alerts.join(", ") || "none"}`);
      return;
    }
    if (performance.now() > deadline) throw new Error(`${what}: not so; firing: ${alerts.join(", ")}`);
    await delay(500);
  }
}

function prometheus(): ChildProcess {
  const faster = (text: string) => `${Number.parseInt(text, 10) * SECONDS_A_MINUTE}s`;
  const rules = readFileSync(path.join(root, "deploy/prometheus/alerts.yaml"), "utf8")
    .replaceAll(/(?<=for: )\d+m/g, faster)
    .replaceAll(/(?<=\[)\d+m(?=\])/g, faster);
  writeFileSync(path.join(folder, "alerts.yaml"), rules);
  const config = [
    "global: { scrape_interval: 1s, evaluation_interval: 1s }",
    "rule_files: [alerts.yaml]",
    `scrape_configs: [{ job_name: weir-worker, static_configs: [{ targets: ["127.0.0.1:${adminPort}"] }] }]`,
  ];
  writeFileSync(path.join(folder, "prometheus.yaml"), `${config.join("\n")}\n`);
  mkdirSync(path.join(folder, "data"));
  return run("prometheus", [
    `--config.file=${folder}/prometheus.yaml`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${prometheusPort}`,
  ]);
}

const KEY = "a-key-of-this-check";
const weir = (command: string, env: Readonly<Record<string, string>>) =>
  run(process.execPath, [path.join(root, "src/cli/main.ts"), command], env);
const serve = (limit: string) =>
  weir("serve", { SERVICE_API_KEYS: KEY, PORT: String(servicePort), SERVICE_RATE_LIMIT: limit, LOG_LEVEL: "error" });

const kafka = await startKafka({ brokers: 1 });
const s3 = await startS3();
const client = new Kafka({ ...quiet, brokers: [...kafka.bootstrap] });
const producer = client.producer();
let isOver = false;
try {
  const topics = await weirTopics(client, kafka.bootstrap, 1);
  const work = () =>
    weir("worker", {
      ...topics.env,
      ADMIN_PORT: String(adminPort),
      SERVICE_URL: `http://127.0.0.1:${servicePort}`,
      SERVICE_API_KEY: KEY,
      ...s3Env(s3),
      ARCHIVE_AGE: "1s",
      LOG_LEVEL: "error",
    });
  await producer.connect();
  const address = (role: string, i: number) => `0x${role}${String(i).padStart(39, "0")}`;
  const producing = (async () => {
    for (let i = 0; !isOver; i++) {
      const event = {
        id: `e-${i}`,
        type: "address",
        chain_id: "1",
        address: address("a", i),
        user_addresses: [address("b", i)],
      };
      await producer.send({ topic: topics.live, messages: [{ value: JSON.stringify(event) }] }).catch(() => undefined);
      await delay(EVENTS_EVERY_MS);
    }
  })();

  prometheus();
  let service = serve("1000/1s");
  let worker = work();
  await delay(20_000);
  await until("a worker that is well", (alerts) => alerts.length === 0);

  await end(service, "SIGTERM");
  service = serve("1/1s");
  await until("a 429 storm", (alerts) => alerts.includes("WeirRateLimited"));
  await end(service, "SIGTERM");
  service = serve("1000/1s");
  await until("the storm is over", (alerts) => alerts.length === 0);

  await s3.kill();
  await until("S3 is away", (alerts) => alerts.includes("WeirArchiveFailing"));
  await s3.start();
  await until("S3 is back", (alerts) => alerts.length === 0);

  await end(worker, "SIGTERM");
  await until("no worker", (alerts) => alerts.includes("WeirNoWorker") && alerts.includes("WeirTargetDown"));
  worker = work();
  await until("a worker again", (alerts) => alerts.length === 0);

  isOver = true;
  await producing;
  await end(worker, "SIGTERM");
  await end(service, "SIGTERM");
} finally {
  isOver = true;
  await producer.disconnect();
  await Promise.all([...children].map((child) => end(child, "SIGKILL")));
  await Promise.all([kafka.close(), s3.close()]);
  rmSync(folder, { recursive: true, force: true });
}
