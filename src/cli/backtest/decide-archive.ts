import { once } from "node:events";
import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import {
  type BacktestCounts,
  type BacktestDeps,
  backtest,
  type DecisionChange,
} from "../../archive/backtest/backtest.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { blocksNewestFirst, countBlocks, openArchive } from "../archive-source/archive-source.ts";
import { type Days, isInDays, readDays } from "../archive-source/date-range.ts";
import type { Environment } from "../config/config.ts";
import { keepHeapSmall } from "../screen/node-memory.ts";
import { backtestProgressLine } from "../terminal/progress.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { changeLine } from "./backtest-report.ts";

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
  try {
    const source = await openArchive(dir, days, { env, opened, signal });
    total = countBlocks(source);
    const file = flags.changes === undefined ? undefined : await newFile(flags.changes, opened);
    const counts = await backtest(blocksNewestFirst(source, signal), {
      compare,
      isWanted: ({ decided_at }) => isInDays(days, decided_at),
      onChange: (change) => (file === undefined ? undefined : writeLine(file, change)),
      onBlock: ({ compared, loosened, tightened }) => {
        signal.throwIfAborted();
        seen = { verdicts: compared, changes: loosened + tightened, blocks: seen.blocks + 1 };
      },
    });
    if (counts.compared > 0) return counts;
    throw new ConfigInvalidError(`${source.name} has no verdict that can be decided again: check --from and --until`);
  } finally {
    unwatch();
    await opened.close(CLOSE_DEADLINE_MS);
  }
}

/** @throws {ConfigInvalidError} for a file that is there: it may be the result of another command. */
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
