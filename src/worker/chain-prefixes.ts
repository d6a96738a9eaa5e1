import type { Chain, Family } from "../chains/chain.ts";
import { findChain } from "../chains/registry.ts";

/** Longest part of a prefix. Source: CAIP-2, whose references have at most 32 characters; an EVM address is longer. */
const LONGEST = 32;

/** Words for a family of chains. Source: the namespaces of CAIP-2, and the names that this repository uses. */
const familyByWord: ReadonlyMap<string, Family> = new Map([
  ["evm", "evm"],
  ["eip155", "evm"],
  ["tron", "tron"],
  ["tvm", "tron"],
  ["solana", "solana"],
  ["svm", "solana"],
  ["bitcoin", "bitcoin"],
  ["bip122", "bitcoin"],
]);

/** What a prefix says of the chain that was asked about, by the words that are known. */
type Judged = "same" | "other" | "unknown";

/**
 * The chain words of one service: `<chain_prefix>` in `<chain_prefix>:<address>`. The interface gives no values for it.
 * A word of the registry is that chain and no other. A word for a family is each chain of the family. The worker learns
 * every other word from the answers, and one word may stand for several chains. A chain with a learned word of its own
 * has no second one, so that an answer from another chain, by a mistaken cache, is found out.
 */
export class ChainPrefixes {
  readonly #wordOf = new Map<string, string>();
  readonly #chainsOf = new Map<string, Set<string>>();

  /** Whether `prefix`, before an address that was asked about on `chain`, can be a word for that chain. */
  names(prefix: string, chain: Chain): boolean {
    const parts = prefix.split(":");
    if (parts.length > 2 || parts.some((part) => part === "" || part.length > LONGEST)) return false;
    const judged = parts.length === 1 ? judgedWord(prefix, chain) : judgedPair(parts, chain);
    return judged === "unknown" ? this.#learn(prefix.toLowerCase(), chain) : judged === "same";
  }

  #learn(word: string, { id }: Chain): boolean {
    const own = this.#wordOf.get(id);
    if (own === word) return true;
    if (own !== undefined) {
      const isOwnAlone = this.#chainsOf.get(own)?.size === 1;
      if (isOwnAlone || this.#chainsOf.has(word)) return false;
      this.#chainsOf.get(own)?.delete(id);
    }
    this.#wordOf.set(id, word);
    this.#chainsOf.set(word, (this.#chainsOf.get(word) ?? new Set()).add(id));
    return true;
  }
}

function judgedWord(word: string, { id, family }: Chain): Judged {
  const ofFamily = familyByWord.get(word.toLowerCase());
  if (ofFamily !== undefined) return ofFamily === family ? "same" : "other";
  const known = findChain(word);
  if (known === undefined) return "unknown";
  return known.id === id ? "same" : "other";
}

/** A namespace and a chain in it, as CAIP-2 writes `eip155:1`. */
function judgedPair([namespace = "", reference = ""]: readonly string[], chain: Chain): Judged {
  const first = judgedWord(namespace, chain);
  if (first === "other") return "other";
  const known = findChain(reference);
  // A number outside of EIP-155 may be anything: 101 is Solana's main network, and an EVM chain.
  if (known === undefined || (first === "same" && known.family !== chain.family)) return "unknown";
  return known.id === chain.id ? "same" : "other";
}
