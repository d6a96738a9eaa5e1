import { seededRandom } from "../../kernel/retry.ts";
import type { Verdict } from "../../messages/verdict.ts";
import { readPolicy } from "../../policy/policy.ts";
import { RequestEstimate } from "../../worker/estimate/request-estimate.ts";
import { serializedLocks } from "../../worker/simulation/serialized-locks.ts";
import { type Environment, PlanEnv, readEnv } from "../config/config.ts";
import { BacktestEnv } from "../config/env/archive-env.ts";
import { plannedRun } from "../estimate/planned-bounds.ts";
import { NOWHERE, openSpoken } from "../service-connection/service-connection.ts";
import { openPolicy, pastTables } from "../wiring/open-policy.ts";
import { type BacktestReport, backtestJson, backtestLines } from "./backtest-report.ts";
import { type ComparedPolicies, comparePolicies } from "./compare-policies.ts";
import { type DecideArchiveFlags, decideArchive } from "./decide-archive.ts";
import { YoungerRows } from "./younger-rows.ts";

export interface BacktestFlags extends DecideArchiveFlags {
  readonly policy: string;
  readonly against?: string;
}

/**
 * `weir backtest [DIR] --policy NEW`: decides the archive again. It sends no request to a service.
 *
 * @returns 0 when every verdict was compared and none becomes milder, otherwise 2.
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
  const own = readEnv(BacktestEnv.pick({ POLICY_FILE: true }), env).POLICY_FILE;
  const past = await pastTables([...own, flags.policy, ...(flags.against === undefined ? [] : [flags.against])]);
  const estimate = await emptyEstimate(env);
  const policies: ComparedPolicies = { after: policy.choice, before: against?.choice, past };
  const younger = new YoungerRows(policies);
  const comparing = comparePolicies(policies, estimate);
  const compare = (verdict: Verdict) => {
    younger.add(verdict);
    return comparing(verdict);
  };
  const counts = await decideArchive(dir, flags, compare, { env, signal });
  const unknownPolicies = [...counts.policies].reduce((sum, [hash, number]) => sum + (past.has(hash) ? 0 : number), 0);
  const report: BacktestReport = {
    counts,
    requests: estimate.finish(),
    younger: younger.rows,
    unknownPolicies,
    policy: policy.sha256,
    against: against?.sha256,
  };
  process.stdout.write(`${flags.json === true ? backtestJson(report) : backtestLines(report).join("\n")}\n`);
  return counts.loosened + counts.open + counts.unreadable + counts.evidenceLeftOut + unknownPolicies > 0 ? 2 : 0;
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
