import type { BacktestCounts } from "../../archive/backtest/backtest.ts";
import { seededRandom } from "../../kernel/retry.ts";
import { readPolicy } from "../../policy/policy.ts";
import { RequestEstimate } from "../../worker/estimate/request-estimate.ts";
import { serializedLocks } from "../../worker/simulation/serialized-locks.ts";
import { type Environment, PlanEnv, readEnv } from "../config/config.ts";
import { BacktestEnv } from "../config/env/archive-env.ts";
import { plannedRun } from "../estimate/planned-bounds.ts";
import { NOWHERE, openSpoken } from "../service-connection/service-connection.ts";
import { openPolicy, pastTables } from "../wiring/open-policy.ts";
import { type BacktestReport, backtestJson, backtestLines } from "./backtest-report.ts";
import { type ComparedPolicies, comparePolicies, youngerRows } from "./compare-policies.ts";
import { type DecideArchiveFlags, decideArchive } from "./decide-archive.ts";

export interface BacktestFlags extends DecideArchiveFlags {
  readonly policy: string;
  readonly against?: string;
}

/**
 * `weir backtest [DIR] --policy NEW`: decides the archive again. It sends no request to a service.
 *
 * @returns 2 when a decision becomes milder, otherwise 0.
 * @throws {ConfigInvalidError}
 */
export async function backtest(
  dir: string | undefined,
  flags: BacktestFlags,
  env: Environment,
  signal: AbortSignal,
): Promise<0 | 2> {
  const policy = await openPolicy(flags.policy, readPolicy, "--policy");
  const against = flags.against === undefined ? undefined : await openPolicy(flags.against, readPolicy, "--against");
  const past = await pastTables(readEnv(BacktestEnv.pick({ POLICY_FILE: true }), env).POLICY_FILE);
  const estimate = await emptyEstimate(env);
  const policies: ComparedPolicies = { after: policy.choice, before: against?.choice, past };
  const counts = await decideArchive(dir, flags, comparePolicies(policies, estimate), { env, signal });
  const report = reportOf(counts, policies, estimate, { policy: policy.sha256, against: against?.sha256 });
  process.stdout.write(`${flags.json === true ? backtestJson(report) : backtestLines(report).join("\n")}\n`);
  return counts.loosened > 0 ? 2 : 0;
}

/** Counts the requests as `weir plan` does. */
async function emptyEstimate(env: Environment): Promise<RequestEstimate> {
  const config = readEnv(PlanEnv, env);
  const bounds = plannedRun(config);
  return new RequestEstimate({
    decoder: serializedLocks,
    window: bounds.window,
    groupMax: config.SOLANA_GROUP_MAX,
    reach: (await openSpoken(config.SERVICE_URL ?? NOWHERE, config)).dialect.reach,
    cacheBytes: bounds.cacheBytes,
    cacheAgeMs: bounds.cacheAgeMs,
    random: seededRandom(1),
  });
}

function reportOf(
  counts: BacktestCounts,
  { after, past }: ComparedPolicies,
  estimate: RequestEstimate,
  hashes: Pick<BacktestReport, "policy" | "against">,
): BacktestReport {
  const younger = new Map<string, number>();
  let unknownPolicies = 0;
  for (const [sha256, verdicts] of counts.policies) {
    const policy = past.get(sha256);
    if (policy === undefined) {
      unknownPolicies += verdicts;
      continue;
    }
    for (const row of youngerRows(after(undefined).table, policy)) younger.set(row, (younger.get(row) ?? 0) + verdicts);
  }
  return { counts, requests: estimate.finish(), younger, unknownPolicies, ...hashes };
}
