import type { Chain } from "../chains/chain.ts";
import { findChain } from "../chains/registry.ts";

/** Longest name of a chain that is believed to be one. Guessed. */
const LONGEST = 32;

/**
 * Which chain an answer is about: `<chain_prefix>:<address>`, of which the interface does not say how chains are spelled.
 * A prefix that the registry knows is that chain and no other. One that nobody knows is the name of the chain at whose
 * answer it comes first, and of that alone from then on, as that chain has no second such name: a service that answers
 * about another chain than was asked, by a mistaken cache, is found out unless it does so at the very first answer.
 */
export class ChainPrefixes {
  readonly #prefixOf = new Map<string, string>();
  readonly #chainOf = new Map<string, string>();

  /** Whether `prefix`, before an address that was asked about on `chain`, says that chain. */
  names(prefix: string, { id }: Chain): boolean {
    const known = findChain(prefix);
    if (known !== undefined) return known.id === id;
    if (prefix === "" || prefix.length > LONGEST) return false;
    const chain = this.#chainOf.get(prefix);
    if (chain !== undefined || this.#prefixOf.has(id)) return chain === id;
    this.#chainOf.set(prefix, id);
    this.#prefixOf.set(id, prefix);
    return true;
  }
}
