import path from "node:path";
import type { Format } from "../../adapters/files/format.ts";
import { readRecords } from "../../adapters/files/records.ts";
import type { ScreeningEvent } from "../../events/event.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { seededRandom } from "../../kernel/random.ts";
import type { Result } from "../../kernel/result.ts";
import { Forecast } from "../../worker/forecast/forecast.ts";
import { minTimeMs } from "../../worker/pace/quota.ts";
import type { InputRecord } from "../../worker/ports.ts";
import { serializedLocks } from "../../worker/simulation-group/serialized-locks.ts";
import { type Environment, PlanEnv, readEnv } from "../config.ts";
import { parseQuota } from "../env/fields.ts";
import { KafkaEnv } from "../env/kafka-env.ts";
import { checkInputFlags, type InputFlags } from "../input-flags.ts";
import { kafkaSettings } from "../kafka-settings.ts";
import { readLearnedQuota } from "../learned-quota.ts";
import { openPolicy } from "../open-policy.ts";
import { type Pace, planLine, planLines } from "../plan-report.ts";
import { plannedTopic } from "../planned-topic.ts";
import { stderrLog } from "../stderr-log.ts";

export interface PlanFlags extends InputFlags {
  readonly format?: Format;
  /** Topic whose lag is planned, in place of a file. */
  readonly topic?: string;
  readonly quota?: string;
  readonly price?: number;
  /** Directory of an earlier run, which learned a quota. */
  readonly out: string;
  readonly json?: boolean;
}

/**
 * `weir plan FILE`: what `weir screen FILE` would ask; with --topic, what workers have yet to ask about a topic. Asks no
 * service. @returns the exit status. @throws {ConfigInvalidError}
 */
export async function plan(
  file: string | undefined,
  flags: PlanFlags,
  env: Environment,
  signal: AbortSignal,
): Promise<0> {
  checkInputFlags(flags);
  const config = readEnv(PlanEnv, env);
  const pace = await paceOf(flags, config);
  const policy = await openPolicy(config.POLICY_FILE);
  const forecast = new Forecast(policy.choice, {
    decoder: serializedLocks,
    window: config.LANE_BACKFILL_EVENTS,
    groupMax: config.SOLANA_GROUP_MAX,
    cacheBytes: config.ANSWER_CACHE_BYTES,
    cacheAgeMs: config.ANSWER_CACHE_AGE_BACKFILL,
    // Only the places of items in a request are drawn: the same file gives the same plan.
    random: seededRandom(1),
  });
  for await (const event of await eventsOf(file, flags, env, signal)) {
    signal.throwIfAborted();
    forecast.add(event);
  }
  const report = { forecast: forecast.result(), pace, price: flags.price };
  process.stdout.write(flags.json === true ? `${planLine(report)}\n` : `${planLines(report).join("\n")}\n`);
  return 0;
}

async function eventsOf(
  file: string | undefined,
  { topic, format, ...flags }: PlanFlags,
  env: Environment,
  signal: AbortSignal,
): Promise<AsyncIterable<Result<ScreeningEvent>>> {
  if ((file === undefined) === (topic === undefined)) throw new ConfigInvalidError("plan takes a FILE, or --topic");
  if (topic !== undefined) {
    const settings = await kafkaSettings(readEnv(KafkaEnv, env));
    return plannedTopic({ settings, topic, log: stderrLog(process.stderr), signal });
  }
  const defaults = { chain: flags.chain, users: flags.user, token: flags.token };
  return eventsIn(readRecords({ path: file ?? "", format, defaults }));
}

async function* eventsIn(records: AsyncIterable<InputRecord>): AsyncGenerator<Result<ScreeningEvent>> {
  for await (const { event } of records) yield event;
}

/** The flag counts first, then what was configured, then what was learned. @throws {ConfigInvalidError} */
async function paceOf(
  { quota: given, out }: PlanFlags,
  {
    SERVICE_QUOTA,
    SERVICE_QUOTA_FILE: file,
  }: {
    readonly SERVICE_QUOTA?: Parameters<typeof minTimeMs>[0] | undefined;
    readonly SERVICE_QUOTA_FILE?: string | undefined;
  },
): Promise<Pace | undefined> {
  const parsed = given === undefined ? undefined : parseQuota(given);
  if (given !== undefined && parsed === undefined)
    throw new ConfigInvalidError(`--quota ${given}: must look like 50/1s or 600/1min`);
  const quota = parsed ?? SERVICE_QUOTA;
  if (quota !== undefined) {
    return { perSecond: 1_000 / minTimeMs(quota), from: parsed === undefined ? "SERVICE_QUOTA" : "--quota" };
  }
  const from = file ?? path.join(out, "quota.json");
  const learned = await readLearnedQuota(from);
  return learned === undefined ? undefined : { perSecond: learned.perSecond, from: `learned, ${from}` };
}
