import { type BacktestCounts, type BacktestDeps, backtest, noteVerdicts } from "../../archive/backtest/backtest.ts";
import { CountedVerdicts } from "../../archive/reading/counted-verdicts.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { blocksNewestFirst, countBlocks, openArchive } from "../archive-source/archive-source.ts";
import { type Days, isInDays, readDays } from "../archive-source/date-range.ts";
import type { Environment } from "../config/config.ts";
import { keepHeapSmall } from "../screen/node-memory.ts";
import { backtestProgressLine } from "../terminal/progress.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { ChangeFile } from "./change-file.ts";

/** The flags of every command that decides an archive again. */
export interface DecideArchiveFlags extends Partial<Days> {
  /** File for the changed verdicts. */
  readonly changes?: string;
  readonly json?: boolean;
}

const CLOSE_DEADLINE_MS = 5_000;

/**
 * Decides the latest verdicts of a folder or bucket again, with progress on standard error.
 *
 * @param dir The folder of a run. Undefined for the bucket of S3_BUCKET.
 * @throws {ConfigInvalidError} also when no verdict can be decided.
 */
export async function decideArchive(
  dir: string | undefined,
  flags: DecideArchiveFlags,
  compare: BacktestDeps["compare"],
  { env, signal }: { readonly env: Environment; readonly signal: AbortSignal },
): Promise<BacktestCounts> {
  keepHeapSmall();
  const days = readDays(flags);
  const opened = new Lifecycle();
  let seen = { verdicts: 0, changes: 0, blocks: 0 };
  const begun = performance.now();
  let total: number | undefined;
  const unwatch = showProgress(process.stderr, () =>
    backtestProgressLine({ ...seen, total, elapsedMs: performance.now() - begun }),
  );
  const onBlock = () => {
    signal.throwIfAborted();
    seen = { ...seen, blocks: seen.blocks + 1 };
  };
  let file: ChangeFile | undefined;
  try {
    // A revision may lie behind the last day.
    const later = await openArchive(dir, { from: days.from }, { env, opened, signal });
    const source = await openArchive(dir, days, { env, opened, signal });
    const blocks = countBlocks(later);
    total = blocks === undefined ? undefined : blocks + (countBlocks(source) ?? 0);
    file = flags.changes === undefined ? undefined : await ChangeFile.create(flags.changes);
    const counted = new CountedVerdicts(randomBits());
    await noteVerdicts(blocksNewestFirst(later, signal, true), counted, onBlock);
    const counts = await backtest(blocksNewestFirst(source, signal), counted, {
      compare,
      isWanted: ({ decided_at }) => isInDays(days, decided_at),
      onChange: (change) => file?.add(change),
      onBlock: ({ compared, loosened, tightened }) => {
        onBlock();
        seen = { ...seen, verdicts: compared, changes: loosened + tightened };
      },
    });
    if (counts.compared + counts.open === 0) throw nothingDecided(source.name, counts);
    await file?.finish();
    return counts;
  } catch (thrown) {
    await file?.drop();
    throw thrown;
  } finally {
    unwatch();
    await opened.close(CLOSE_DEADLINE_MS);
  }
}

const BITS_32 = 2 ** 32;

function randomBits(): number {
  return Math.floor(Math.random() * BITS_32);
}

function nothingDecided(name: string, { evidenceLeftOut, unreadable }: BacktestCounts): ConfigInvalidError {
  if (evidenceLeftOut + unreadable === 0)
    return new ConfigInvalidError(`${name} has no verdict in these days: check --from and --until`);
  return new ConfigInvalidError(
    `${name} has no verdict that can be decided again: ${evidenceLeftOut} were too large to keep their evidence, and ${unreadable} lines hold no verdict`,
  );
}
