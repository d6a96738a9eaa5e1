import path from "node:path";
import { type FileRecord, readRecords } from "../../adapters/files/input/records.ts";
import type { Unfinished } from "../../adapters/files/input/unfinished.ts";
import { systemClock } from "../../kernel/clock.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { quietLog } from "../../kernel/log.ts";
import type { Result } from "../../kernel/result.ts";
import { seededRandom } from "../../kernel/retry.ts";
import type { ScreeningEvent } from "../../messages/event.ts";
import { UnreadAddresses } from "../../messages/unread/unread-addresses.ts";
import { Forecast } from "../../worker/estimate/forecast.ts";
import { type ServiceNodes, UnservedChecks } from "../../worker/estimate/unserved-checks.ts";
import type { Quota } from "../../worker/rate-limit/sharing/quota.ts";
import { serializedLocks } from "../../worker/simulation/serialized-locks.ts";
import {
  type Environment,
  type PlanConfig,
  PlanEnv,
  type PlanTopicConfig,
  PlanTopicEnv,
  readEnv,
} from "../config/config.ts";
import { KafkaEnv } from "../config/env/kafka-env.ts";
import { quota as quotaField } from "../config/env/quota-field.ts";
import { kafkaSettings } from "../config/kafka-settings.ts";
import { registrySettings } from "../config/registry-settings.ts";
import { NOWHERE, openSpoken } from "../service-connection/service-connection.ts";
import { refuseInputFlags } from "../terminal/input-flags.ts";
import { type FileFlags, inputOptions } from "../terminal/input-options.ts";
import { stderrLog } from "../terminal/stderr-log.ts";
import { openLists } from "../wiring/open-lists.ts";
import { openMapping } from "../wiring/open-mapping.ts";
import { openPolicy } from "../wiring/open-policy.ts";
import { givenPace } from "../wiring/quota/given-pace.ts";
import { readQuotaFile } from "../wiring/quota/quota-file.ts";
import { OWNER_UNKNOWN, quotaOwner } from "../wiring/quota/quota-owner.ts";
import { embeddedNodes } from "../wiring/service-nodes.ts";
import { type Pace, planLine, planLines, type UnknownPace } from "./plan-report.ts";
import { type PlannedBounds, plannedRun, plannedWorker } from "./planned-bounds.ts";
import { plannedTopic } from "./planned-topic.ts";

export interface PlanFlags extends FileFlags {
  /** Topic with the lag to plan, in place of a file. */
  readonly topic?: string;
  readonly quota?: string;
  readonly price?: number;
  /** Directory of an earlier run, which learned a quota. */
  readonly out: string;
  readonly json?: boolean;
}

/**
 * `weir plan FILE`: the requests that `weir screen FILE` would send. With --topic, the requests that workers have yet
 * to send for a topic. It sends no request to a service. @returns the exit status: 2 when lines at the end of the file
 * are left out. @throws {ConfigInvalidError}
 */
export async function plan(
  file: string | undefined,
  flags: PlanFlags,
  env: Environment,
  signal: AbortSignal,
): Promise<0 | 2> {
  if ((file === undefined) === (flags.topic === undefined))
    throw new ConfigInvalidError("weir plan needs either a FILE or --topic");
  if (flags.topic !== undefined) refuseInputFlags(flags);
  const { config, bounds, events, unread, nodes, behindTransactions, waiting } =
    flags.topic === undefined ? await ofFile(file ?? "", flags, env) : await ofTopic(flags.topic, env, signal);
  const pace = await paceOf(flags, config);
  const policy = await openPolicy(config.POLICY_FILE);
  const { book } = await openLists(config, { clock: systemClock, log: quietLog });
  const unserved = nodes === undefined ? undefined : new UnservedChecks(nodes);
  const options = {
    decoder: serializedLocks,
    window: bounds.window,
    groupMax: config.SOLANA_GROUP_MAX,
    reach: (await openSpoken(config.SERVICE_URL ?? NOWHERE, config)).dialect.reach,
    cacheBytes: bounds.cacheBytes,
    cacheAgeMs: bounds.cacheAgeMs,
    // Only the positions of entries in a request are random, so the same file gives the same plan.
    random: seededRandom(1),
  };
  const forecast = new Forecast(policy.choice, book, options, (questions) => unserved?.add(questions));
  for await (const { event, place } of events) {
    signal.throwIfAborted();
    forecast.add(event, place);
  }
  const report = {
    forecast: forecast.result(),
    pace,
    price: flags.price,
    memory: bounds.memory,
    unread,
    unserved: unserved?.rows() ?? [],
    lists: book.lists,
    behindTransactions: behindTransactions(),
    waiting: waiting(),
  };
  process.stdout.write(flags.json === true ? `${planLine(report)}\n` : `${planLines(report).join("\n")}\n`);
  return report.waiting === undefined ? 0 : 2;
}

/** The input of a plan, and the command that it is for. */
interface Planned {
  readonly config: PlanConfig | PlanTopicConfig;
  /** The nodes of the service that a run starts for itself. Undefined for another service. */
  readonly nodes?: ServiceNodes | undefined;
  readonly bounds: PlannedBounds;
  readonly events: AsyncIterable<PlacedEvent>;
  /** Grows as the events are read. */
  readonly unread: UnreadAddresses;
  /** Records of the topic behind an open transaction, known once the events are read; 0 for a file. */
  readonly behindTransactions: () => number;
  /** Lines at the end of the file that may still grow, known once the events are read; a topic has none. */
  readonly waiting: () => Unfinished | undefined;
}

interface PlacedEvent {
  readonly event: Result<ScreeningEvent>;
  /** The line of the event in a file; absent for a topic. */
  readonly place?: string;
}

async function ofFile(file: string, flags: PlanFlags, env: Environment): Promise<Planned> {
  const config = readEnv(PlanEnv, env);
  const input = await inputOptions(file, flags, (message) => process.stderr.write(`weir: ${message}\n`));
  const unread = new UnreadAddresses();
  let waiting: Unfinished | undefined;
  const records = readRecords({
    ...input,
    onUnread: unread.add.bind(unread),
    onUnfinished: (lines) => {
      waiting = lines;
    },
  });
  const events = eventsIn(records);
  return {
    config,
    nodes: await embeddedNodes(config),
    bounds: plannedRun(config),
    events,
    unread,
    behindTransactions: () => 0,
    waiting: () => waiting,
  };
}

async function ofTopic(topic: string, env: Environment, signal: AbortSignal): Promise<Planned> {
  const config = readEnv(PlanTopicEnv, env);
  const settings = await kafkaSettings(readEnv(KafkaEnv, env));
  const registry = await registrySettings(config);
  const mapping = await openMapping(config.EVENT_MAP);
  const lane = settings.topics.realtime.includes(topic) ? "realtime" : "backfill";
  const unread = new UnreadAddresses();
  let behind = 0;
  const onBehindTransactions = (records: number) => {
    behind = records;
  };
  const log = stderrLog(process.stderr);
  const events = withoutPlaces(
    plannedTopic({ settings, registry, topic, log, signal, unread, mapping, onBehindTransactions }),
  );
  return {
    config,
    bounds: plannedWorker(config, lane),
    events,
    unread,
    behindTransactions: () => behind,
    waiting: () => undefined,
  };
}

async function* eventsIn(records: AsyncIterable<FileRecord>): AsyncGenerator<PlacedEvent> {
  for await (const { event, source } of records) yield { event, place: `line ${source.line}` };
}

async function* withoutPlaces(events: AsyncIterable<Result<ScreeningEvent>>): AsyncGenerator<PlacedEvent> {
  for await (const event of events) yield { event };
}

/** @throws {ConfigInvalidError} */
function quotaOf(given: string): Quota {
  const parsed = quotaField.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigInvalidError(`--quota ${given}: ${parsed.error.issues.map(({ message }) => message).join("; ")}`);
}

/**
 * The flag counts first, then the setting, then the quota that was learned for this key. @throws {ConfigInvalidError}
 */
async function paceOf(
  { quota: given, out }: PlanFlags,
  config: PlanConfig | PlanTopicConfig,
): Promise<Pace | UnknownPace> {
  const parsed = given === undefined ? undefined : quotaOf(given);
  const quota = parsed ?? config.SERVICE_QUOTA;
  if (quota !== undefined) {
    return { perSecond: givenPace(quota).perSecond, from: parsed === undefined ? "SERVICE_QUOTA" : "--quota" };
  }
  const file = config.SERVICE_QUOTA_FILE ?? path.join(out, "quota.json");
  const kept = await readQuotaFile(file);
  if (kept.state === "none") return { perSecond: undefined };
  if (kept.state === "unfit") return { perSecond: undefined, why: `${kept.reason}: ${kept.remedy}` };
  const owner = await quotaOwner(kept.mark, config);
  if (owner === "another key" || owner === "another service")
    return { perSecond: undefined, why: `what ${file} keeps was learned of ${owner}` };
  const doubt = owner === "unknown" ? `: ${OWNER_UNKNOWN}` : "";
  return { perSecond: kept.learned.perSecond, from: `learned, ${file}${doubt}` };
}
