import { lookup } from "node:dns";
import { kafkaClient } from "../../adapters/kafka/client/kafka-client.ts";
import { groupSize } from "../../adapters/kafka/consumer/group-size.ts";
import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import { diagnose } from "../../adapters/kafka/topics/diagnose.ts";
import { checkSession } from "../../adapters/kafka/topics/session-check.ts";
import { purposesOf } from "../../adapters/kafka/topics/topics.ts";
import { checkTransactions } from "../../adapters/kafka/topics/transaction-check.ts";
import { systemClock } from "../../kernel/clock.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { quietLog } from "../../kernel/log.ts";
import type { MeasuredQuota } from "../../worker/rate-limit/gate/quota-measurement.ts";
import { type DoctorConfig, DoctorEnv, type Environment, readEnv, ScreenEnv } from "../config/config.ts";
import { areBrokersHere, type KafkaSettings, kafkaSettings } from "../config/kafka-settings.ts";
import { registrySettings } from "../config/registry-settings.ts";
import { duration } from "../terminal/progress.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { formattedVerdicts } from "../wiring/open-verdict-format.ts";
import { QUOTA_MINUTES } from "../wiring/quota/measurement-bounds.ts";
import { measuredCheck, measuringLine } from "../wiring/quota/quota-report.ts";
import { openS3Store } from "../wiring/s3-store.ts";
import { checkBucket } from "./check-bucket.ts";
import { checkLine } from "./check-line.ts";
import { checkNodes } from "./check-nodes.ts";
import { checkQuota } from "./check-quota.ts";
import { checkRegistry } from "./check-registry.ts";
import { checkService } from "./check-service.ts";
import { joinedWarnings } from "./joined-warnings.ts";
import { runMeasurement } from "./measured-quota.ts";

export interface DoctorFlags {
  readonly create?: boolean;
  readonly partitions: number;
  readonly replication?: number;
  /** Measures only the quota, with at most this many requests. */
  readonly quota?: number;
  /** Longest measurement, minutes. Undefined: the time that finds most quotas. */
  readonly quotaMinutes?: number;
}

const REQUEST_TIMEOUT_MS = 10_000;
/** Details that only add to other checks are not waited for. */
const QUICK = { retry: { retries: 0 }, requestTimeout: REQUEST_TIMEOUT_MS };
const CLOSE_DEADLINE_MS = 3_000;
const MINUTE_MS = 60_000;

/**
 * Checks all dependencies of a worker, and the nodes of a service, and prints a line a check.
 *
 * @returns the exit status: 0 when no check failed.
 * @throws {ConfigInvalidError}
 */
export async function doctor(flags: DoctorFlags, env: Environment, signal: AbortSignal): Promise<0 | 1> {
  const { quota, quotaMinutes } = flags;
  if (quota !== undefined) return doctorQuota(quota, (quotaMinutes ?? QUOTA_MINUTES) * MINUTE_MS, env, signal);
  if (quotaMinutes !== undefined)
    throw new ConfigInvalidError("--quota-minutes needs --quota: add --quota, or leave --quota-minutes out");
  const config = readEnv(DoctorEnv, env);
  const { KAFKA_BROKERS } = config;
  if (KAFKA_BROKERS === undefined && flags.create === true)
    throw new ConfigInvalidError("bad settings: KAFKA_BROKERS: must name the brokers to create topics on");
  const settings = KAFKA_BROKERS === undefined ? undefined : await kafkaSettings({ ...config, KAFKA_BROKERS });
  const registry = await registrySettings(config);
  const formats = settings && (await formattedVerdicts(config.VERDICT_FORMAT, settings, registry));
  const checks = [
    ...(settings === undefined ? [withoutKafka] : [encryption(settings), ...(await checkKafka(settings, flags))]),
    ...(await checkRegistry(registry, signal, formats && { formats, create: flags.create === true })),
    await checkQuota(config, settings === undefined ? undefined : await workersIn(settings)),
    ...(await checkService(config, env, signal)),
    ...(await checkNodes(config, { clock: systemClock, lookup }, signal)),
    await archiveCheck(config, signal),
  ];
  for (const check of joinedWarnings(checks)) process.stdout.write(`${checkLine(check)}\n`);
  return checks.some(({ ok }) => ok === false) ? 1 : 0;
}

/** Commands on files need no brokers. An operator that forgot the brokers of a worker must see this line. */
const withoutKafka: CheckedItem = {
  check: "brokers",
  ok: "warn",
  detail: "skipped: KAFKA_BROKERS is not set",
  remedy: "name them for weir worker, archive, enqueue and replay; weir screen and serve need none",
};

function workersIn({ connection, groupId }: KafkaSettings): Promise<number | undefined> {
  return groupSize(kafkaClient(connection, quietLog, QUICK).admin(), groupId);
}

async function doctorQuota(maxRequests: number, maxMs: number, env: Environment, signal: AbortSignal): Promise<0 | 1> {
  const config = readEnv(ScreenEnv, env);
  const { SERVICE_URL } = config;
  if (SERVICE_URL === undefined) throw new ConfigInvalidError("bad settings: SERVICE_URL: must name the service");
  process.stdout.write(
    `asks ${SERVICE_URL} up to ${maxRequests} times within ${duration(maxMs / 1_000)} as fast as the service accepts: other clients of the key wait meanwhile\n`,
  );
  const watch = (soFar: () => MeasuredQuota) => showProgress(process.stderr, () => measuringLine(soFar(), maxMs));
  const check = measuredCheck(
    await runMeasurement({ ...config, SERVICE_URL }, env, { maxRequests, maxMs }, watch, signal),
  );
  process.stdout.write(`${checkLine(check)}\n`);
  return check.ok === true ? 0 : 1;
}

async function checkKafka(
  { connection, topics, recordMaxBytes, sessionTimeoutMs }: KafkaSettings,
  flags: DoctorFlags,
): Promise<readonly CheckedItem[]> {
  const { create = false, partitions, replication } = flags;
  const { checks, reached } = await diagnose({
    brokers: connection.brokers,
    topics,
    recordMaxBytes,
    sleep: (ms) => systemClock.sleep(ms),
    // The checks report the messages that kafkajs would log.
    openAdmin: (brokers, retry) =>
      kafkaClient({ ...connection, brokers }, quietLog, { retry, requestTimeout: REQUEST_TIMEOUT_MS }).admin(),
    ...(create ? { create: { partitions, ...(replication === undefined ? {} : { replication }) } } : {}),
  });
  if (reached.length === 0) return checks;
  const client = kafkaClient({ ...connection, brokers: reached }, quietLog, QUICK);
  const names = purposesOf(topics).map(([topic]) => topic);
  return [
    ...checks,
    await checkSession(client.admin(), sessionTimeoutMs),
    ...(await checkTransactions(client, names, { clock: systemClock })),
  ];
}

async function archiveCheck(config: DoctorConfig, signal: AbortSignal): Promise<CheckedItem> {
  const { S3_BUCKET: bucket } = config;
  if (bucket === undefined) return { check: "bucket", ok: true, detail: "skipped: S3_BUCKET is not set", remedy: "" };
  const opened = new Lifecycle();
  try {
    return await checkBucket(openS3Store({ ...config, S3_BUCKET: bucket }, opened), bucket, signal);
  } finally {
    await opened.close(CLOSE_DEADLINE_MS);
  }
}

function encryption({ connection }: KafkaSettings): CheckedItem {
  const check = "encryption";
  if (connection.tls !== undefined) return { check, ok: true, detail: "TLS, certificates are checked", remedy: "" };
  if (areBrokersHere(connection.brokers)) return { check, ok: true, detail: "none, on this machine", remedy: "" };
  const detail = "none: the network can read events and change verdicts";
  return { check, ok: "warn", detail, remedy: "set KAFKA_TLS=true where the brokers have a TLS listener" };
}
