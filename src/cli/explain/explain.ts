import { spellingsOf } from "../../archive/index/verdict-keys.ts";
import type { SearchCounts, VerdictMatch } from "../../archive/reading/find-verdicts.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { singleLine } from "../../kernel/text.ts";
import { type ArchiveSource, openArchive } from "../archive-source/archive-source.ts";
import { type Environment, readEnv } from "../config/config.ts";
import { BacktestEnv } from "../config/env/archive-env.ts";
import { searchArchive } from "../find/search-archive.ts";
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
  try {
    const source = await openArchive(dir, {}, { env, opened, signal });
    const all = await revisionsOf(id.trim(), source, full === true, signal);
    const latest = latestOf(all);
    if (latest === undefined) {
      process.stderr.write(
        `weir: ${source.name} has no verdict with the id ${singleLine(id)}: weir find also looks for addresses and hashes\n`,
      );
      return 2;
    }
    const past = await pastTables(readEnv(BacktestEnv.pick({ POLICY_FILE: true }), env).POLICY_FILE);
    const inObject = all.filter(({ verdict }) => verdict.revision === latest.verdict.revision);
    const proof = source.objects === undefined ? undefined : await proofOf(inObject, source, signal);
    const explanation = explainVerdict(latest, all, past, proof);
    process.stdout.write(`${explanationText(explanation, format)}\n`);
    return explanation.decided_again?.is_equal === false || proof?.lines_match === false ? 2 : 0;
  } finally {
    await opened.close(CLOSE_DEADLINE_MS);
  }
}

async function proofOf(found: readonly VerdictMatch[], { objects }: ArchiveSource, signal: AbortSignal) {
  const archived = found.find(({ name }) => objects?.keys.includes(name) === true);
  return archived === undefined || objects === undefined ? undefined : objectProof(archived, objects, signal);
}

/** Every revision of the verdict with this id. @throws {ConfigInvalidError} when the id means several verdicts. */
async function revisionsOf(
  id: string,
  source: ArchiveSource,
  isFull: boolean,
  signal: AbortSignal,
): Promise<readonly VerdictMatch[]> {
  const counts: SearchCounts = { read: 0, passedOver: 0 };
  const found: VerdictMatch[] = [];
  const search = { spellings: spellingsOf(id), isFull, prefersObjects: true, signal, counts };
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
