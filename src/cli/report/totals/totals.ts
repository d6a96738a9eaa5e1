import type { Verdict } from "../../../messages/verdict.ts";
import { CountTable, type DecisionCounts, noCounts, sumOf } from "./count-table.ts";
import { RequestFill } from "./request-fill.ts";
import { TimeSeries } from "./time-series.ts";
import type { VerdictFacts } from "./verdict-facts.ts";

/** A reason why checks have no answer. */
export interface FailureRow {
  readonly code: string;
  readonly events: number;
  /** The first event with this failure. */
  readonly position: string;
  readonly detail: string;
}

/** The counts of a report: a fold over the latest verdict on each event, in bounded memory. */
export class Totals {
  readonly findings = new CountTable();
  readonly chains = new CountTable();
  readonly tenants = new CountTable();
  readonly lists = new CountTable();
  readonly policies = new CountTable();
  readonly listSets = new CountTable();
  readonly softwares = new CountTable();
  readonly times = new TimeSeries();
  readonly fill = new RequestFill();
  readonly #byDecision = noCounts();
  readonly #failures = new Map<string, { events: number; position: string; detail: string }>();

  /** Counts the latest verdict on an event. */
  add(facts: VerdictFacts): void {
    const { decision } = facts;
    this.#byDecision[decision]++;
    for (const finding of facts.findings) this.findings.add(finding, decision);
    this.chains.add(facts.chain, decision);
    this.tenants.add(facts.tenant, decision);
    for (const list of facts.lists) this.lists.add(list, decision);
    this.policies.add(facts.policy, decision);
    this.listSets.add(facts.listSet, decision);
    this.softwares.add(facts.software, decision);
    this.times.add(facts.decidedAtMs, decision);
    this.#addFailures(facts);
  }

  /** Counts the requests behind a verdict of any revision, since each of them was sent. */
  addRequests({ checks }: Pick<Verdict, "checks">): void {
    for (const entry of checks) this.fill.add(entry);
  }

  get byDecision(): DecisionCounts {
    return this.#byDecision;
  }

  get events(): number {
    return sumOf(this.#byDecision);
  }

  /** The failures, most events first. */
  failures(): readonly FailureRow[] {
    return [...this.#failures]
      .map(([code, failure]) => ({ code, ...failure }))
      .sort((a, b) => b.events - a.events || (a.code < b.code ? -1 : 1));
  }

  #addFailures({ failures, position }: VerdictFacts): void {
    const codes = new Set<string>();
    for (const { code, detail } of failures) {
      if (codes.has(code)) continue;
      codes.add(code);
      const known = this.#failures.get(code);
      if (known === undefined) this.#failures.set(code, { events: 1, position, detail });
      else known.events++;
    }
  }
}
