import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import {
  type BacktestCounts,
  backtest as backtestArchive,
  type DecisionChange,
} from "../../archive/backtest/backtest.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { seededRandom } from "../../kernel/retry.ts";
import { readPolicy } from "../../policy/policy.ts";
import { RequestEstimate } from "../../worker/estimate/request-estimate.ts";
import { serializedLocks } from "../../worker/simulation/serialized-locks.ts";
import { blocksNewestFirst, countBlocks, openArchive } from "../archive-source/archive-source.ts";
import { isInDays, readDays } from "../archive-source/date-range.ts";
import { type Environment, PlanEnv, readEnv } from "../config/config.ts";
import { BacktestEnv } from "../config/env/archive-env.ts";
import { plannedRun } from "../estimate/planned-bounds.ts";
import { keepHeapSmall } from "../screen/node-memory.ts";
import { NOWHERE, openSpoken } from "../service-connection/service-connection.ts";
import { backtestProgressLine, showProgress } from "../terminal/progress.ts";
import { openPolicy, pastTables } from "../wiring/open-policy.ts";
import { type BacktestReport, backtestJson, backtestLines, changeLine } from "./backtest-report.ts";
import { type ComparedPolicies, comparePolicies, youngerRows } from "./compare-policies.ts";

export interface BacktestFlags {
  readonly policy: string;
  readonly against?: string;
  readonly from?: string;
  readonly until?: string;
  readonly changes?: string;
  readonly json?: boolean;
}

const CLOSE_DEADLINE_MS = 5_000;

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
  keepHeapSmall();
  const days = readDays({ from: flags.from, until: flags.until });
  const policy = await openPolicy(flags.policy, readPolicy, "--policy");
  const against = flags.against === undefined ? undefined : await openPolicy(flags.against, readPolicy, "--against");
  const past = await pastTables(readEnv(BacktestEnv.pick({ POLICY_FILE: true }), env).POLICY_FILE);
  const estimate = await emptyEstimate(env);
  const opened = new Lifecycle();
  let seen = { verdicts: 0, changes: 0, blocks: 0 };
  const begun = performance.now();
  let total: number | undefined;
  const unwatch = showProgress(process.stderr, () =>
    backtestProgressLine({ ...seen, total, elapsedMs: performance.now() - begun }),
  );
  try {
    const source = await openArchive(dir, days, { env, opened, signal });
    total = countBlocks(source);
    const file = flags.changes === undefined ? undefined : await newFile(flags.changes, opened);
    const policies: ComparedPolicies = { after: policy.choice, before: against?.choice, past };
    const counts = await backtestArchive(blocksNewestFirst(source, signal), {
      compare: comparePolicies(policies, estimate),
      isWanted: ({ decided_at }) => isInDays(days, decided_at),
      onChange: (change) => (file === undefined ? undefined : writeLine(file, change)),
      onBlock: ({ compared, loosened, tightened }) => {
        signal.throwIfAborted();
        seen = { verdicts: compared, changes: loosened + tightened, blocks: seen.blocks + 1 };
      },
    });
    unwatch();
    if (counts.compared === 0)
      throw new ConfigInvalidError(`${source.name} has no verdict that can be decided again: check --from and --until`);
    const report = reportOf(counts, policies, estimate, { policy: policy.sha256, against: against?.sha256 });
    process.stdout.write(`${flags.json === true ? backtestJson(report) : backtestLines(report).join("\n")}\n`);
    return counts.loosened > 0 ? 2 : 0;
  } finally {
    unwatch();
    await opened.close(CLOSE_DEADLINE_MS);
  }
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
    if (policy === undefined) unknownPolicies += verdicts;
    else
      for (const row of youngerRows(after(undefined).table, policy))
        younger.set(row, (younger.get(row) ?? 0) + verdicts);
  }
  return { counts, requests: estimate.finish(), younger, unknownPolicies, ...hashes };
}

/** @throws {ConfigInvalidError} for a file that is there: it may be the result of another backtest. */
async function newFile(file: string, opened: Lifecycle): Promise<WriteStream> {
  await mkdir(path.dirname(file), { recursive: true });
  const stream = createWriteStream(file, { flags: "wx" });
  await once(stream, "open").catch((thrown: unknown) => {
    const { code, message } = Object(thrown);
    const why = code === "EEXIST" ? "the file is there already: name another file, or remove it" : String(message);
    throw new ConfigInvalidError(`--changes ${file}: ${why}`);
  });
  opened.onClose("changes", () => new Promise<void>((resolve) => stream.end(resolve)));
  return stream;
}

async function writeLine(stream: WriteStream, change: DecisionChange): Promise<void> {
  if (!stream.write(`${changeLine(change)}\n`)) await once(stream, "drain");
}
