import { audit as auditArchive } from "../../archive/audit/audit.ts";
import type { AuditCounts, AuditFinding } from "../../archive/audit/audit-finding.ts";
import { Lifecycle } from "../../kernel/lifecycle.ts";
import { countText, singleLine } from "../../kernel/text.ts";
import { LIST_SETS, listSetFault, listSetKey } from "../../labels/list-set.ts";
import type { Environment } from "../config/config.ts";
import { auditLine } from "../terminal/progress.ts";
import { clearProgress, showProgress } from "../terminal/show-progress.ts";
import { everyPolicy } from "../wiring/open-policy.ts";
import { type AuditSource, bucketSource, folderSource } from "./audit-source.ts";
import { redecide } from "./redecide.ts";

export interface AuditFlags {
  readonly dir?: string;
  readonly quiet?: boolean;
}

const CLOSE_DEADLINE_MS = 5_000;

/** `weir audit`. @returns 0 without findings, 2 with findings. @throws {ConfigInvalidError} */
export async function audit({ dir, quiet }: AuditFlags, env: Environment, signal: AbortSignal): Promise<0 | 2> {
  const opened = new Lifecycle();
  const logged: string[] = [];
  let findings = 0;
  let seen = { keys: 0, objects: 0, verdicts: 0 };
  const begun = performance.now();
  const line = () => auditLine({ ...seen, findings, elapsedMs: performance.now() - begun });
  const unwatch = showProgress(process.stderr, line, quiet);
  const onFinding = (finding: AuditFinding) => {
    findings++;
    // Both streams may be one terminal, and the finding would stand behind the progress.
    if (process.stdout.isTTY === true) clearProgress(process.stderr);
    process.stdout.write(`${lineOf(finding)}\n`);
  };
  try {
    const source = dir === undefined ? await bucketSource(env, opened, signal) : await folderSource(dir, env, opened);
    const choices = await everyPolicy(source.policyFiles);
    if (source.lacks !== undefined) onFinding({ finding: "log_missing", detail: source.lacks });
    const counts = await auditArchive(source.topic, {
      ...source.read,
      decide: (verdict) => redecide(verdict, choices),
      listSets: {
        folder: LIST_SETS,
        keyOf: listSetKey,
        fault: listSetFault,
        ...source.listSets,
        onLogged: (id, verdicts) =>
          logged.push(`lists ${id}: ${countText(verdicts, "verdict")}, spelled out in the log alone\n`),
      },
      signal,
      onFinding,
      knownLosses: source.knownLosses,
      onKnown: (finding) => process.stdout.write(`${lineOf(finding)} (acknowledged)\n`),
      onListed: (keys) => {
        seen = { ...seen, keys };
      },
      onObject: ({ objects, verdicts }) => {
        seen = { ...seen, objects, verdicts };
      },
    });
    unwatch();
    process.stderr.write(policiesOf(counts.policies) + logged.join(""));
    process.stdout.write(`${sumOf(counts, source)}; ${countText(findings, "finding")}\n`);
    return findings === 0 ? 0 : 2;
  } finally {
    unwatch();
    await opened.close(CLOSE_DEADLINE_MS);
  }
}

function sumOf(counts: AuditCounts, { read: { topic }, knownLosses }: AuditSource): string {
  const decided = `${counts.decided} decided again, ${counts.otherPolicy} by a policy that is not at hand`;
  const waiting = counts.waiting === 0 ? "" : `, ${counts.waiting} not archived yet`;
  const known = knownLosses.length;
  const lost = known === 0 ? "" : `; ${counts.acknowledged} of ${countText(known, "range")} acknowledged`;
  const looked = `${countText(counts.objects, "object")}, ${countText(counts.verdicts, "verdict")}`;
  const lists = counts.spelledOut === 0 ? "" : `, ${countText(counts.spelledOut, "set")} of lists spelled out`;
  return `${looked}: ${decided}${comparedWith(counts, topic)}${lists}${waiting}${lost}`;
}

function comparedWith({ compared, anchored }: AuditCounts, topic: AuditSource["read"]["topic"]): string {
  if (topic === undefined) return "";
  if (topic.wholeLog !== undefined) return `, ${compared} compared with ${topic.wholeLog}`;
  return `, ${compared} compared with the topic, ${countText(anchored, "partition")} held against the group's commit`;
}

/** The policies of the verdicts: a policy that was not in use at the time is suspicious. */
function policiesOf(policies: ReadonlyMap<string, number>): string {
  const said = Array.from(policies, ([named, verdicts]) => {
    const [id = "", hash = ""] = [named.slice(0, named.lastIndexOf(" ")), named.slice(named.lastIndexOf(" ") + 1)];
    return `decided by ${singleLine(id)} ${hash.slice(0, 12)}: ${countText(verdicts, "verdict")}\n`;
  });
  return said.join("");
}

/** Keys and texts of objects may come from a stranger. Their text must not look like a line of the audit. */
function lineOf({ partition, key, finding, detail }: AuditFinding): string {
  const where = key ?? (partition === undefined ? "topic" : `partition ${partition}`);
  return `${finding}  ${singleLine(where)}  ${singleLine(detail)}`;
}
