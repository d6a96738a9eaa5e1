import type { Verdict } from "../../messages/verdict.ts";
import type { PastPolicy } from "../../policy/old-policy.ts";
import type { PolicyTable } from "../../policy/policy.ts";
import type { ComparedPolicies } from "./compare-policies.ts";

/** A row of the new policy, and its check. */
interface PolicyRow {
  readonly check: string;
  readonly name: string;
}

/**
 * Counts the rows of the new policy that the policy of a verdict did not have, for the checks that the verdict has. Old
 * evidence without such a finding proves nothing, since the finding may not have existed.
 */
export class YoungerRows {
  /** Verdicts by row, as "check.finding". */
  readonly rows = new Map<string, number>();
  readonly #policies: Pick<ComparedPolicies, "after" | "past">;
  readonly #known = new Map<string, readonly PolicyRow[]>();

  constructor(policies: Pick<ComparedPolicies, "after" | "past">) {
    this.#policies = policies;
  }

  add({ policy: { sha256 }, tenant, checks }: Verdict): void {
    const past = this.#policies.past.get(sha256);
    if (past === undefined) return;
    const { sha256: hash, table } = this.#policies.after(tenant === "" ? undefined : tenant);
    const key = `${sha256} ${hash}`;
    let younger = this.#known.get(key);
    if (younger === undefined) {
      younger = youngerRows(table, past);
      this.#known.set(key, younger);
    }
    for (const { check, name } of younger)
      if (checks.some((entry) => entry.check === check)) this.rows.set(name, (this.rows.get(name) ?? 0) + 1);
  }
}

/** The rows of a table that are more than a note, and that `past` does not have. */
function youngerRows(table: PolicyTable, past: PastPolicy): readonly PolicyRow[] {
  return Object.entries(table.findings).flatMap(([check, rows]) =>
    Object.entries(rows)
      .filter(([finding, severity]) => severity !== "INFO" && !past.rows.has(`${check}.${finding}`))
      .map(([finding]) => ({ check, name: `${check}.${finding}` })),
  );
}
