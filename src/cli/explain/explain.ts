import { spellingsOf } from "../../archive/index/verdict-keys.ts";
import type { SearchCounts, VerdictMatch } from "../../archive/reading/find-verdicts.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { singleLine } from "../../kernel/text.ts";
import { type ArchiveSource, openArchive } from "../archive-source/archive-source.ts";
import { type Environment, readEnv } from "../config/config.ts";
import { BacktestEnv } from "../config/env/archive-env.ts";
import { searchLine } from "../find/find.ts";
import { type Search, searchArchive } from "../find/search-archive.ts";
import { showProgress } from "../terminal/show-progress.ts";
import { pastTables } from "../wiring/open-policy.ts";
import { type ExplainForm, explanationText } from "./explain-forms.ts";
import { explain as explainVerdict, latestOf } from "./explanation.ts";
import { objectProof } from "./object-proof.ts";

export interface ExplainFlags {
  readonly format: ExplainForm;
  readonly full?: boolean;
}

const CLOSE_DEADLINE_MS = 5_000;
/** Most verdicts that a message names. */
const MOST_NAMED = 10;

/**
 * `weir explain ID [DIR]`: prints all that an archive says about one verdict.
 *
 * @returns 2 when there is none, or its evidence gives another decision. @throws {ConfigInvalidError}
 */
export async function explain(
  id: string,
  dir: string | undefined,
  { format, full }: ExplainFlags,
  env: Environment,
  signal: AbortSignal,
): Promise<0 | 2> {
  const opened = new Lifecycle();
  const counts: SearchCounts = { read: 0, passedOver: 0 };
  const unwatch = showProgress(process.stderr, () => searchLine(counts));
  try {
    const source = await openArchive(dir, {}, { env, opened, signal });
    const all = await revisionsOf(id.trim(), source, { isFull: full === true, signal, counts });
    const latest = latestOf(all);
    if (latest === undefined) {
      process.stderr.write(
        `weir: ${source.name} has no verdict with the id ${singleLine(id)}: weir find also looks for addresses and hashes\n`,
      );
      return 2;
    }
    const past = await pastTables(readEnv(BacktestEnv.pick({ POLICY_FILE: true }), env).POLICY_FILE);
    const proof = await proofOf(latest, all, source, signal);
    const explanation = explainVerdict(latest, all, past, proof);
    process.stdout.write(`${explanationText(explanation, format)}\n`);
    const { decided_again: again, object } = explanation;
    const isWrong = again?.is_equal === false || object?.lines_match === false || object?.named_by_next === false;
    return isWrong ? 2 : 0;
  } finally {
    unwatch();
    await opened.close(CLOSE_DEADLINE_MS);
  }
}

/** The proof of the very verdict that counts: a copy with another content proves nothing about it. */
async function proofOf(
  latest: VerdictMatch,
  found: readonly VerdictMatch[],
  { objects }: ArchiveSource,
  signal: AbortSignal,
) {
  const text = JSON.stringify(latest.verdict);
  const archived = found.find(
    ({ name, verdict }) => objects?.keys.includes(name) === true && JSON.stringify(verdict) === text,
  );
  if (archived === undefined || objects === undefined)
    return { fault: "no object of the archive has this verdict yet" };
  return objectProof(archived, objects, signal);
}

/** Every revision of the verdict with this id. @throws {ConfigInvalidError} when the id means several verdicts. */
async function revisionsOf(
  id: string,
  source: ArchiveSource,
  how: Pick<Search, "isFull" | "signal" | "counts">,
): Promise<readonly VerdictMatch[]> {
  const found: VerdictMatch[] = [];
  const search = { ...how, spellings: spellingsOf(id), prefersObjects: true };
  for await (const each of searchArchive(source, search)) {
    const { verdict_id, event_id } = each.verdict;
    if (verdict_id === id.toLowerCase() || event_id === id) found.push(each);
  }
  const ids = new Set(found.map(({ verdict }) => verdict.verdict_id));
  if (ids.size <= 1) return found;
  const named = [...ids].slice(0, MOST_NAMED).join(", ");
  throw new ConfigInvalidError(
    `${ids.size} verdicts have the event id ${singleLine(id)}, as an event with other content is another one: name one of ${named}`,
  );
}
