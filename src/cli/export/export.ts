import { verdictColumns } from "../../archive/export/flat-verdict.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { countText } from "../../kernel/text.ts";
import { openArchive } from "../archive-source/archive-source.ts";
import { type Days, readDays } from "../archive-source/date-range.ts";
import type { Environment } from "../config/config.ts";
import { keepHeapSmall } from "../screen/node-memory.ts";
import { duration } from "../terminal/progress.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { type ExportCounts, exportObjects } from "./export-objects.ts";

export interface ExportFlags extends Partial<Days> {
  readonly out: string;
  /** Leaves out the columns with data of the customer. */
  readonly redact?: boolean;
}

const CLOSE_DEADLINE_MS = 5_000;

/**
 * `weir export [DIR]`: writes the archive as Parquet files.
 *
 * @returns 2 when a line holds no verdict, otherwise 0. @throws {ConfigInvalidError}
 */
export async function exportArchive(
  dir: string | undefined,
  flags: ExportFlags,
  env: Environment,
  signal: AbortSignal,
): Promise<0 | 2> {
  keepHeapSmall();
  const days = readDays(flags);
  const columns =
    flags.redact === true ? verdictColumns.filter(({ isPersonal }) => isPersonal !== true) : verdictColumns;
  const counts: ExportCounts = { files: 0, present: 0, verdicts: 0, unreadable: 0 };
  const opened = new Lifecycle();
  const begun = performance.now();
  let total = 0;
  const unwatch = showProgress(process.stderr, () => {
    const done = counts.files + counts.present;
    const secondsLeft = ((performance.now() - begun) * (total - done)) / Math.max(1, counts.files) / 1000;
    return `${done}/${countText(total, "object")} · ${countText(counts.verdicts, "verdict")} · ${duration(secondsLeft)} left`;
  });
  try {
    const { name, objects } = await openArchive(dir, days, { env, opened, signal });
    if (objects === undefined)
      throw new ConfigInvalidError(`${name} has no archive/ yet: weir screen writes it when the run ends`);
    total = objects.keys.length;
    await exportObjects(objects, flags.out, columns, counts, signal);
  } finally {
    unwatch();
    await opened.close(CLOSE_DEADLINE_MS);
  }
  const { files, present, verdicts, unreadable } = counts;
  const unread = unreadable === 0 ? "" : `; ${countText(unreadable, "line")} without a verdict: run weir audit`;
  const earlier = present === 0 ? "" : `, ${present} were there`;
  process.stdout.write(
    `${countText(verdicts, "verdict")} in ${countText(files, "new file")} below ${flags.out}${earlier}${unread}\n`,
  );
  return unreadable === 0 ? 0 : 2;
}
