import type { Chain } from "../../chains/chain.ts";
import type { Question } from "../plan/question.ts";

/** The nodes of Weir's own service. */
export interface ServiceNodes {
  /** Canonical ids of the EVM chains with a node. */
  readonly evm: ReadonlySet<string>;
  /** Whether Solana transactions run on a node or a snapshot. */
  readonly hasSolana: boolean;
}

/** Events with a check that the service cannot answer on this chain. */
export interface UnservedCheck {
  readonly check: Question["check"];
  readonly chain: Pick<Chain, "id" | "name" | "family">;
  readonly events: number;
}

/**
 * Counts the events with a check that Weir's own service cannot answer for want of a node. Their verdicts are UNKNOWN,
 * or stricter.
 */
export class UnservedChecks {
  readonly #nodes: ServiceNodes;
  readonly #rows = new Map<string, { check: Question["check"]; chain: Chain; events: number }>();

  constructor(nodes: ServiceNodes) {
    this.#nodes = nodes;
  }

  /** Counts one event by its questions. */
  add(questions: readonly Pick<Question, "check" | "chain">[]): void {
    const unserved = questions.filter((question) => !isServed(question, this.#nodes));
    for (const [key, { check, chain }] of new Map(unserved.map((each) => [`${each.check} ${each.chain.id}`, each]))) {
      const row = this.#rows.get(key) ?? { check, chain, events: 0 };
      row.events++;
      this.#rows.set(key, row);
    }
  }

  /** The checks without an answer, most events first. */
  rows(): readonly UnservedCheck[] {
    return [...this.#rows.values()].sort((a, b) => b.events - a.events);
  }
}

function isServed({ check, chain }: Pick<Question, "check" | "chain">, { evm, hasSolana }: ServiceNodes): boolean {
  if (check === "solana-simulation") return hasSolana;
  if (check !== "token-security" && check !== "classification") return true;
  return chain.family === "evm" && evm.has(chain.id);
}
