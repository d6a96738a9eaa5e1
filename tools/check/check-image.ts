/**
 * Builds the image and runs it for real. Service, worker and archive run in containers without permissions, on a local
 * broker and S3 server. The check ends when every event has its verdict and the audit has no findings. Run by hand: it
 * needs a Docker engine with this machine's host network, java and mvn. `node tools/check/check-image.ts [TAG]`;
 * SKIP_BUILD=1 takes the existing image. Where the base cannot be pulled, a local image with its name replaces it.
 */
import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { Kafka } from "kafkajs";
import { freePorts } from "../../test/servers/free-ports.ts";
import { startKafka } from "../../test/servers/kafka-cluster.ts";
import { produce, quiet } from "../../test/servers/records.ts";
import { s3Env, startS3 } from "../../test/servers/s3-server.ts";

const EVENTS = 2_000;
const [tag = "weir:check"] = process.argv.slice(2);
const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "weir-image-"));
const key = randomBytes(16).toString("hex");
const keyFile = path.join(folder, "api-key");
const mine: string[] = [];

/**
 * The output of a docker command. The call is asynchronous, so the brokers' logs are still read: a full pipe would stop
 * the brokers.
 *
 * @throws with the output of docker.
 */
async function docker(...args: readonly string[]): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  execFile("docker", [...args], { cwd: root, maxBuffer: 1 << 26 }, (error, stdout, stderr) => {
    if (error === null) resolve(stdout.trim());
    else reject(new Error(`docker ${args.slice(0, 2).join(" ")}: ${stdout.slice(-2_000)}${stderr.slice(-2_000)}`));
  });
  return promise;
}

/** A container as in the chart: an unprivileged user, only /tmp writable, no capabilities, a memory limit. */
function container(name: string, env: Readonly<Record<string, string>>, ...more: readonly string[]): readonly string[] {
  const given = Object.entries({ ...env, NODE_EXTRA_CA_CERTS: "" }).flatMap(([variable, value]) => [
    "--env",
    `${variable}=${value}`,
  ]);
  const confined = ["--read-only", "--tmpfs", "/tmp", "--cap-drop", "ALL", "--security-opt", "no-new-privileges"];
  return [
    "--name",
    name,
    "--network",
    "host",
    "--memory",
    "1g",
    ...confined,
    "--volume",
    `${keyFile}:/run/api-key:ro`,
    ...given,
    ...more,
  ];
}

async function start(what: string, env: Readonly<Record<string, string>>): Promise<string> {
  const name = `weir-check-${what}-${process.pid}`;
  mine.push(name);
  await docker("run", "--detach", ...container(name, env), tag, what);
  return name;
}

async function until(what: string, isSo: () => boolean | Promise<boolean>, forMs = 60_000): Promise<number> {
  const began = performance.now();
  for (;;) {
    if (await isSo()) return performance.now() - began;
    if (performance.now() - began > forMs) throw new Error(`${what}: not within ${forMs / 1000} s`);
    await delay(20);
  }
}
const answers = (url: string) =>
  fetch(url).then(
    ({ status }) => status === 200,
    () => false,
  );
const healthOf = (name: string) => docker("inspect", "--format", "{{.State.Health.Status}}", name);
const say = (what: string, result: string | number) => console.log(`${what}: ${result}`);

const address = (role: string, i: number) => `0x${role}${String(i).padStart(39, "0")}`;
const event = (i: number) =>
  JSON.stringify({
    id: `e-${i}`,
    type: "address",
    chain_id: "1",
    address: address("a", i),
    user_addresses: [address("b", i)],
  });

const [admin = 0, port = 0, archiveAdmin = 0] = await freePorts(3);
const kafka = await startKafka({ brokers: 1 });
const s3 = await startS3();
try {
  writeFileSync(keyFile, `${key}\n`);
  chmodSync(keyFile, 0o444);
  if (process.env["SKIP_BUILD"] !== "1") {
    const began = performance.now();
    await docker("build", "--network", "host", "--build-arg", "VERSION=check", "--tag", tag, ".");
    say("built in", `${((performance.now() - began) / 1000).toFixed(0)} s`);
  }
  const base = await docker("image", "inspect", "--format", "{{.Size}}", "node:24.21.0-bookworm-slim");
  const size = await docker("image", "inspect", "--format", "{{.Size}}", tag);
  const mb = (bytes: string | number) => `${(Number(bytes) / 1e6).toFixed(0)} MB`;
  say("image", `${mb(size)}, of which base ${mb(base)} and Weir ${mb(Number(size) - Number(base))}`);
  say("runs as", await docker("run", "--rm", "--network", "host", "--entrypoint", "id", tag));
  say(
    "packages",
    (await docker("run", "--rm", "--network", "host", "--entrypoint", "ls", tag, "/app/node_modules")).split("\n")
      .length,
  );
  say("version", await docker("run", "--rm", "--network", "host", "--read-only", tag, "--version"));

  const brokers = { KAFKA_BROKERS: kafka.bootstrap.join(",") };
  const archive = {
    ...s3Env(s3),
    ARCHIVE_AGE: "5s",
  };
  const asking = { SERVICE_URL: `http://127.0.0.1:${port}`, SERVICE_API_KEY_FILE: "/run/api-key" };
  const service = await start("serve", { SERVICE_API_KEYS_FILE: "/run/api-key", PORT: String(port) });
  const listens = () => answers(`http://127.0.0.1:${port}/readyz`);
  say("service ready after", `${(await until("the service", listens)).toFixed(0)} ms`);
  const name = `weir-check-doctor-${process.pid}`;
  await docker("run", "--rm", ...container(name, { ...brokers, ...asking }), tag, "doctor", "--create");
  say("doctor", "created the topics, and found nothing wrong");
  const worker = await start("worker", { ...brokers, ...asking, ADMIN_PORT: String(admin) });
  const ready = () => answers(`http://127.0.0.1:${admin}/readyz`);
  say("worker ready after", `${(await until("the worker", ready)).toFixed(0)} ms`);
  const archiving = await start("archive", { ...brokers, ...archive, ADMIN_PORT: String(archiveAdmin) });

  const client = new Kafka({ ...quiet, brokers: [...kafka.bootstrap] });
  const began = performance.now();
  await produce(
    client,
    "screening.backfill",
    Array.from({ length: EVENTS }, (_, i) => event(i)),
  );
  const metric = async (at: number, pattern: RegExp) =>
    Number(pattern.exec(await (await fetch(`http://127.0.0.1:${at}/metrics`)).text())?.[1]);
  const allowed = () => metric(admin, /^weir_verdicts_total\{lane="backfill",decision="ALLOW"\} (\d+)/m);
  await until("a verdict on every event", async () => (await allowed()) >= EVENTS);
  say(`${EVENTS} events screened in`, `${(performance.now() - began).toFixed(0)} ms`);
  const archived = () => metric(archiveAdmin, /^weir_archive_verdicts_total (\d+)/m);
  await until("everything archived", async () => (await archived()) >= EVENTS);
  for (const each of [service, worker, archiving])
    await until("health", async () => (await healthOf(each)) === "healthy");
  say("health checks", "service, worker and archive are healthy");
  const audited = await docker(
    "run",
    "--rm",
    ...container(`weir-check-audit-${process.pid}`, { ...brokers, ...archive }),
    tag,
    "audit",
  );
  say("audit", audited);
  say(
    "memory",
    (
      await docker("stats", "--no-stream", "--format", "{{.Name}} {{.MemUsage}}", worker, service, archiving)
    ).replaceAll("\n", "; "),
  );
  const heap = "console.log(Math.round(require('node:v8').getHeapStatistics().heap_size_limit / 2 ** 20))";
  say(
    "heap limit in 1 GiB",
    `${await docker("run", "--rm", "--memory", "1g", "--network", "host", "--entrypoint", "node", tag, "-e", heap)} MiB`,
  );
  for (const each of [worker, archiving, service]) {
    const stopping = performance.now();
    await docker("stop", "--time", "40", each);
    const status = await docker("inspect", "--format", "{{.State.ExitCode}}", each);
    say(`${each.split("-")[2]} stopped`, `status ${status}, after ${(performance.now() - stopping).toFixed(0)} ms`);
    if (status !== "0" || (await docker("logs", each)).includes(key)) process.exitCode = 1;
  }
} finally {
  if (mine.length > 0) await docker("rm", "--force", ...mine).catch(() => undefined);
  await Promise.all([kafka.close(), s3.close()]);
  rmSync(folder, { recursive: true, force: true });
}
