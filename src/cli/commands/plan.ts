import path from "node:path";
import { type Format, readRecords } from "../../adapters/files/records.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { seededRandom } from "../../kernel/random.ts";
import { Forecast } from "../../worker/forecast/forecast.ts";
import { minTimeMs } from "../../worker/pace/quota.ts";
import { serializedLocks } from "../../worker/simulation-group/serialized-locks.ts";
import { type Environment, PlanEnv, readEnv } from "../config.ts";
import { parseQuota } from "../env/fields.ts";
import { checkInputFlags, type InputFlags } from "../input-flags.ts";
import { readLearnedQuota } from "../learned-quota.ts";
import { openPolicy } from "../open-policy.ts";
import { type Pace, planLine, planLines } from "../plan-report.ts";
import { RUN_CACHE_BYTES, RUN_EVENTS } from "../screen-run.ts";

export interface PlanFlags extends InputFlags {
  readonly format?: Format;
  readonly quota?: string;
  readonly price?: number;
  /** Directory of an earlier run, which learned a quota. */
  readonly out: string;
  readonly json?: boolean;
}

/** `weir plan FILE`: what `weir screen FILE` would ask. Asks nobody. @returns the exit status. */
export async function plan(file: string, flags: PlanFlags, env: Environment, signal: AbortSignal): Promise<0> {
  checkInputFlags(flags);
  const config = readEnv(PlanEnv, env);
  const pace = await paceOf(flags, config);
  const policy = await openPolicy(config.POLICY_FILE);
  const forecast = new Forecast(policy.choice, {
    decoder: serializedLocks,
    window: RUN_EVENTS,
    groupMax: config.SOLANA_GROUP_MAX,
    cacheBytes: RUN_CACHE_BYTES,
    // Only the places of items in a request are drawn: the same file gives the same plan.
    random: seededRandom(1),
  });
  const defaults = { chain: flags.chain, users: flags.user, token: flags.token };
  for await (const { event } of readRecords({ path: file, format: flags.format, defaults })) {
    signal.throwIfAborted();
    forecast.add(event);
  }
  const report = { forecast: forecast.result(), pace, price: flags.price };
  process.stdout.write(flags.json === true ? `${planLine(report)}\n` : `${planLines(report).join("\n")}\n`);
  return 0;
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
