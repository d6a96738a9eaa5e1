import { editDistance } from "../../api/requests/edit-distance.ts";
import { shortName } from "../../api/requests/short-name.ts";
import { chainNames, findChain } from "../../chains/registry.ts";

/** Most typing errors in a name; with more errors it is another word. */
const MAX_SLIPS = 2;

/**
 * Faults in a service's names for chains: an unknown or repeated chain, and one name for two chains. The service could
 * not tell such chains apart, and an answer would be ambiguous.
 *
 * @param given words by names of chains.
 */
export function chainFaults(given: Readonly<Record<string, string | number>>): readonly string[] {
  const entries = Object.entries(given).map(([name, word]) => ({ name, word: String(word), id: findChain(name)?.id }));
  return entries.flatMap(({ name, word, id }, i) => {
    if (id === undefined) return [`chains: unknown chain ${shortName(name)}: ${hintFor(name)}`];
    const earlier = entries.slice(0, i);
    const same = earlier.find((entry) => entry.id === id);
    if (same !== undefined) return [`chains: ${same.name} and ${name} are one chain: leave one of them out`];
    const alike = earlier.find((entry) => entry.word.toLowerCase() === word.toLowerCase());
    if (alike !== undefined)
      return [`chains: ${alike.name} and ${name} have one word, ${word}: give each chain a word of its own`];
    const other = findChain(word);
    // A name is free when its own chain has another name in the dialect.
    if (other === undefined || other.id === id || entries.some((entry) => entry.id === other.id)) return [];
    return [
      `chains.${name}: ${word} is a name of ${other.name} (${other.id}): correct it, or give chain ${other.id} a word of its own`,
    ];
  });
}

function hintFor(name: string): string {
  const near = /^\d+$/.test(name) ? undefined : nearest(name.toLowerCase());
  return near === undefined
    ? "name a chain by its decimal id, or by a name such as eth, tron, solana or bitcoin"
    : `did you mean ${near}?`;
}

function nearest(name: string): string | undefined {
  const slipsTo = (known: string) => editDistance(name, known, Math.min(MAX_SLIPS, Math.ceil(known.length / 2) - 1));
  const found = chainNames
    .filter((known) => !/^\d+$/.test(known))
    .map((known) => ({ known, slips: slipsTo(known) }))
    .filter(({ known, slips }) => slips <= Math.min(MAX_SLIPS, Math.ceil(known.length / 2) - 1))
    .toSorted((a, b) => a.slips - b.slips);
  return found[0]?.known;
}
