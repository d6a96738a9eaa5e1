import type { BacktestCounts } from "../../archive/backtest/backtest.ts";
import { systemClock } from "../../kernel/clock.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { countText } from "../../kernel/text.ts";
import type { AddressBook, ListInUse } from "../../labels/address-book.ts";
import { countLines, matrixLines } from "../backtest/backtest-report.ts";
import { type DecideArchiveFlags, decideArchive } from "../backtest/decide-archive.ts";
import { type Environment, RescreenEnv, readEnv } from "../config/config.ts";
import { stderrLog } from "../terminal/stderr-log.ts";
import { openLists } from "../wiring/open-lists.ts";
import { openPolicy, pastTables } from "../wiring/open-policy.ts";
import { compareLists } from "./list-again.ts";

export interface RescreenFlags extends DecideArchiveFlags {
  /** The complete new set of lists. Empty: LISTS_FILES. */
  readonly lists: readonly string[];
  /** The complete new set of label files. Empty: LABELS_FILES. */
  readonly labels: readonly string[];
  /** The complete old set of lists. Empty: the matches in the evidence. */
  readonly against: readonly string[];
}

/**
 * `weir rescreen [DIR] --lists NEW`: decides the archive again by another set of lists. It sends no request to a service.
 *
 * @returns 2 when a decision changes, otherwise 0.
 * @throws {ConfigInvalidError}
 */
export async function rescreen(
  dir: string | undefined,
  flags: RescreenFlags,
  env: Environment,
  signal: AbortSignal,
): Promise<0 | 2> {
  const config = readEnv(RescreenEnv.pick(FILES), env);
  const lists = flags.lists.length > 0 ? flags.lists : config.LISTS_FILES;
  const labels = flags.labels.length > 0 ? flags.labels : config.LABELS_FILES;
  if (lists.length + labels.length === 0)
    throw new ConfigInvalidError("no list to screen with: name the files by --lists, or in LISTS_FILES");
  const open = async (LISTS_FILES: readonly string[]) => {
    const files = { ...config, LISTS_FILES, LABELS_FILES: labels };
    return (await openLists(files, { clock: systemClock, log: stderrLog(process.stderr) })).book;
  };
  const after = await open(lists);
  const before = flags.against.length > 0 ? await open(flags.against) : undefined;
  const [present, ...older] = config.POLICY_FILE;
  const policy = await openPolicy(present);
  const past = await pastTables([...(present === undefined ? [] : [present]), ...older]);
  const compare = compareLists({ after, before, past, present: policy.choice });
  const counts = await decideArchive(dir, flags, compare, { env, signal });
  const text =
    flags.json === true ? rescreenJson(counts, after, before) : rescreenLines(counts, after, before).join("\n");
  process.stdout.write(`${text}\n`);
  return counts.loosened + counts.tightened > 0 ? 2 : 0;
}

/** The settings beside those of the bucket, which only a bucket needs. */
const FILES = {
  LISTS_FILES: true,
  LABELS_FILES: true,
  BUNDLED_LABELS: true,
  LISTS_MAX_AGE: true,
  POLICY_FILE: true,
} as const;

function rescreenLines(counts: BacktestCounts, after: AddressBook, before: AddressBook | undefined): readonly string[] {
  const old = before === undefined ? "the recorded lists" : `lists ${before.id}`;
  return [
    `${countText(counts.compared, "verdict")}: lists ${after.id} against ${old}`,
    ...after.lists.map(listText),
    ...matrixLines(counts),
    `${counts.tightened} more severe, ${counts.loosened} milder`,
    ...countLines(counts),
  ];
}

function listText({ name, date, entries, sha256 }: ListInUse): string {
  return `  ${name}: ${entries} entries of ${date}, SHA-256 ${sha256}`;
}

function rescreenJson(counts: BacktestCounts, after: AddressBook, before: AddressBook | undefined): string {
  const { policies, groups, lacking: _, lowerBounds: __, leftOut, ...numbers } = counts;
  return JSON.stringify({
    schema: "weir.rescreen/1",
    lists: after.id,
    files: after.lists.map(({ name, date, entries, sha256 }) => ({ name, date, entries, sha256 })),
    against: before?.id ?? "recorded",
    ...numbers,
    left_out: leftOut,
    policies: Object.fromEntries(policies),
    groups: Object.fromEntries(Object.entries(groups).map(([by, values]) => [by, Object.fromEntries(values)])),
  });
}
