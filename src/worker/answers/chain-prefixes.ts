import type { Chain, Family } from "../../chains/chain.ts";
import { findChain } from "../../chains/registry.ts";

/** Longest part of a prefix. Source: CAIP-2, which limits references to 32 characters. An EVM address is longer. */
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

/** A number of EIP-155: decimal, or in hex as nodes and wallets write it (`0x38`). */
const NUMBER = /^(?:[1-9]\d*|0x[0-9a-f]+)$/i;

/** Whether a prefix names the chain of the question, as far as its words are known. */
type Judged = "same" | "other" | "unknown";

/**
 * The chain words of one service: `<chain_prefix>` in `<chain_prefix>:<address>`. The interface gives no values for it.
 * A word of the registry is that chain and no other. A word for a family is each chain of the family. The worker learns
 * every other word from the answers, and one word may stand for several chains. A chain with a learned word of its own
 * has no second word. So a mistaken cache that answers for another chain is detected.
 */
export class ChainPrefixes {
  readonly #wordOf = new Map<string, string>();
  readonly #chainsOf = new Map<string, Set<string>>();

  /** Whether `prefix`, before the address of a question on `chain`, can be a word for that chain. */
  names(prefix: string, chain: Chain): boolean {
    const judged = judgedPrefix(prefix, chain);
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

/** The address in a service's text, without a prefix that names the chain (`eip155:56:0x...`). */
export function statedAddress(text: string, chain: Chain): string {
  const end = text.lastIndexOf(":");
  return end >= 0 && judgedPrefix(text.slice(0, end), chain) === "same" ? text.slice(end + 1) : text;
}

function judgedPrefix(prefix: string, chain: Chain): Judged {
  const parts = prefix.split(":");
  if (parts.length > 2 || parts.some((part) => part === "" || part.length > LONGEST)) return "other";
  return parts.length === 1 ? judgedWord(prefix, chain) : judgedPair(parts, chain);
}

function judgedWord(word: string, chain: Chain): Judged {
  const ofFamily = familyByWord.get(word.toLowerCase());
  if (ofFamily !== undefined) return ofFamily === chain.family ? "same" : "other";
  return judgedName(word, chain, chain.family === "evm");
}

/** A namespace and a chain in it, as CAIP-2 writes `eip155:1`. */
function judgedPair([namespace = "", reference = ""]: readonly string[], chain: Chain): Judged {
  const first = judgedWord(namespace, chain);
  if (first === "other") return "other";
  const known = statedChain(reference);
  // A number outside of EIP-155 is ambiguous: 101 is Solana's main network, and an EVM chain.
  if (first === "same" && known !== undefined && known.family !== chain.family) return "unknown";
  return judgedName(reference, chain, first === "same" && chain.family === "evm");
}

/** @param isOfEvm Whether an unknown number counts as another EVM chain. */
function judgedName(name: string, chain: Chain, isOfEvm: boolean): Judged {
  const known = statedChain(name);
  if (known !== undefined) return known.id === chain.id ? "same" : "other";
  return isOfEvm && NUMBER.test(name) ? "other" : "unknown";
}

/** The chain that a word names exactly: by a registry name, by a number in decimal or hex, or as CAIP-2 does. */
export function statedChain(word: string): Chain | undefined {
  const isHex = /^0x/i.test(word) && word.length <= LONGEST && NUMBER.test(word);
  if (isHex) return findChain(String(BigInt(word)));
  const caip = /^eip155:(?<reference>[^:]+)$/i.exec(word)?.groups?.["reference"];
  if (caip === undefined) return findChain(word);
  return NUMBER.test(caip) ? statedChain(caip) : undefined;
}
