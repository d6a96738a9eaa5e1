import { AppError } from "../../kernel/errors.ts";
import type { Verdict } from "../../messages/verdict.ts";
import type { AuditCounts, AuditDeps, AuditFinding } from "./audit-finding.ts";

/**
 * The most list sets that are audited. Forged verdicts may name more. A worker makes one set for each change of its
 * lists.
 */
const MAX_SETS = 100_000;
/** Any other character in a key could lead out of the folder. */
const idForm = /^[0-9a-f]{1,64}$/;

/** Counts the list set that a verdict names. */
export function countLists({ lists }: Verdict, { listSets, strayLists }: AuditCounts): void {
  if (lists === undefined) return;
  const isKept = listSets.has(lists) || (idForm.test(lists) && listSets.size < MAX_SETS);
  const sets = isKept ? listSets : strayLists;
  const id = isKept ? lists : idForm.test(lists) ? "further sets" : "ids that are none";
  sets.set(id, (sets.get(id) ?? 0) + 1);
}

/**
 * Verifies that every list set named by verdicts is stored, with a content that matches its id. Without the content, no
 * verdict can be compared with the lists that it was screened with.
 *
 * @throws {StoreUnavailableError}
 */
export async function auditLists(counts: AuditCounts, deps: AuditDeps): Promise<void> {
  const { onFinding, listSets: sets } = deps;
  for (const [id, verdicts] of counts.listSets) {
    const key = sets.keyOf(id);
    const fault = await faultOf(id, key, deps);
    if (fault === undefined) counts.spelledOut++;
    else if (fault.finding === "lists_missing" && sets.keptIn === "log") sets.onLogged(id, verdicts);
    else onFinding({ key, finding: fault.finding, detail: `named by ${verdicts} of the verdicts: ${fault.why}` });
  }
  for (const [what, verdicts] of counts.strayLists) {
    const detail = `${verdicts} of the verdicts name ${what}: no archive spells those out`;
    onFinding({ finding: "lists_missing", detail });
  }
}

interface Fault {
  readonly finding: Extract<AuditFinding["finding"], `lists_${string}`>;
  readonly why: string;
}

async function faultOf(id: string, key: string, { store, listSets, signal }: AuditDeps): Promise<Fault | undefined> {
  try {
    const text = await store.text(key, signal);
    if (text === undefined) return { finding: "lists_missing", why: listSets.whyMissing };
    const why = listSets.fault(id, text);
    return why === undefined ? undefined : { finding: "lists_changed", why };
  } catch (thrown) {
    if (!(thrown instanceof AppError) || thrown.retryable) throw thrown;
    return { finding: "lists_unreadable", why: thrown.message };
  }
}
