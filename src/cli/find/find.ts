import { buildFilters } from "../../archive/index/build-filters.ts";
import { spellingsOf } from "../../archive/index/verdict-keys.ts";
import type { SearchCounts, VerdictMatch } from "../../archive/reading/find-verdicts.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { countText, singleLine } from "../../kernel/text.ts";
import { openArchive } from "../archive-source/archive-source.ts";
import { type Days, isInDays, readDays } from "../archive-source/date-range.ts";
import type { Environment } from "../config/config.ts";
import { duration } from "../terminal/progress.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { paintFor } from "../verdict-text/paint.ts";
import { verdictLines } from "../verdict-text/verdict-lines.ts";
import { searchArchive } from "./search-archive.ts";

export interface FindFlags extends Partial<Days> {
  /** Reads every object, whatever its filter says. */
  readonly full?: boolean;
  readonly json?: boolean;
}

const CLOSE_DEADLINE_MS = 5_000;

/**
 * `weir find KEY [DIR]`: prints the archived verdicts with an id, an address or a hash, newest first.
 *
 * @returns 2 when there is none. @throws {ConfigInvalidError}
 */
export async function find(
  key: string,
  dir: string | undefined,
  flags: FindFlags,
  env: Environment,
  signal: AbortSignal,
): Promise<0 | 2> {
  const paint = paintFor(process.stdout, env);
  let number = 0;
  for await (const found of searchVerdicts(key, dir, flags, env, signal)) {
    number++;
    if (flags.json === true) {
      const { verdict, name, line } = found;
      process.stdout.write(
        `${JSON.stringify({ found_in: { name, ...(line === undefined ? {} : { line }) }, verdict })}\n`,
      );
      continue;
    }
    const { verdict } = found;
    const [first = "", ...rest] = verdictLines(verdict, paint);
    const id = `          event ${singleLine(verdict.event_id)}, revision ${verdict.revision}, ${verdict.decided_at}, verdict ${verdict.verdict_id}`;
    process.stdout.write(`${[first, id, ...rest, `          in ${whereText(found)}`].join("\n")}\n`);
  }
  if (number > 0) return 0;
  process.stderr.write(
    `weir: no verdict has the key ${singleLine(key)}: a key is the whole address, event id, verdict id or hash, as a verdict holds it\n`,
  );
  return 2;
}

export function whereText({ name, line }: VerdictMatch): string {
  return singleLine(line === undefined ? name : `${name}, line ${line}`);
}

/** The verdicts with a key in the days of the flags. Progress goes to standard error. */
export async function* searchVerdicts(
  key: string,
  dir: string | undefined,
  { from, until, full }: FindFlags,
  env: Environment,
  signal: AbortSignal,
): AsyncGenerator<VerdictMatch> {
  if (key.trim() === "") throw new ConfigInvalidError("the key is empty: name an address, an id or a hash");
  const days = readDays({ from, until });
  const opened = new Lifecycle();
  const counts: SearchCounts = { read: 0, passedOver: 0 };
  const unwatch = showProgress(process.stderr, () => searchLine(counts));
  try {
    const source = await openArchive(dir, days, { env, opened, signal });
    const search = { spellings: spellingsOf(key.trim()), isFull: full === true, prefersObjects: false, signal, counts };
    for await (const found of searchArchive(source, search)) if (isInDays(days, found.verdict.decided_at)) yield found;
  } finally {
    unwatch();
    await opened.close(CLOSE_DEADLINE_MS);
  }
}

export function searchLine({ read, passedOver }: SearchCounts): string {
  return `${countText(read, "block")} read · ${passedOver} passed over by their filters`;
}

/** `weir index [DIR]`: makes the filters by which `weir find` passes over objects. */
export async function index(dir: string | undefined, env: Environment, signal: AbortSignal): Promise<0> {
  const opened = new Lifecycle();
  let done = 0;
  let total = 0;
  const begun = performance.now();
  const unwatch = showProgress(process.stderr, () => {
    const left = done === 0 ? "" : ` · ${duration(((performance.now() - begun) * (total - done)) / done / 1000)} left`;
    return `${done}/${countText(total, "object")}${left}`;
  });
  try {
    const { name, objects } = await openArchive(dir, {}, { env, opened, signal });
    if (objects === undefined)
      throw new ConfigInvalidError(`${name} has no archive/ yet: weir screen writes it when the run ends`);
    total = objects.keys.length;
    const built = await buildFilters(objects.store, objects.keys, signal, () => done++);
    unwatch();
    process.stdout.write(`${countText(built, "new filter")} for ${countText(total, "object")} of ${name}\n`);
    return 0;
  } finally {
    unwatch();
    await opened.close(CLOSE_DEADLINE_MS);
  }
}
