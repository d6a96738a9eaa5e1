import { tokenNameSkeleton } from "../address-poisoning/token-name.ts";
import type { BarredLabel } from "./imitable-labels.ts";
import type { AddressLabel } from "./label.ts";

/** Names that are written as most people's keyboards write them. Symbols of this kind are taken by many, and in good faith. */
const plainText = /^[ -~]*$/;

/** The tokens of one chain by how their symbols and names are drawn. Skeletons are computed when they are first asked for. */
export class TokenNames {
  readonly #entries: readonly BarredLabel[];
  #bySkeleton: ReadonlyMap<string, readonly BarredLabel[]> | undefined;

  constructor(entries: readonly BarredLabel[]) {
    this.#entries = entries;
  }

  /**
   * The first token that one of `names`, a symbol or a full name, reads like. A name that holds more than ASCII is
   * compared with every token: nobody writes a Cyrillic letter by accident. A plain one only with the few tokens of
   * short lists, those that ask for no more bits than the shapes: many tokens share a symbol with one that few people know.
   */
  imitatedBy(names: readonly string[]): AddressLabel | undefined {
    for (const name of names) {
      const skeleton = tokenNameSkeleton(name);
      const alike = skeleton === "" ? [] : (this.#skeletons().get(skeleton) ?? []);
      const found = plainText.test(name) ? alike.find(({ barBits }) => barBits === 0) : alike[0];
      if (found !== undefined) return found.label;
    }
    return undefined;
  }

  #skeletons(): ReadonlyMap<string, readonly BarredLabel[]> {
    this.#bySkeleton ??= bySkeleton(this.#entries);
    return this.#bySkeleton;
  }
}

function bySkeleton(entries: readonly BarredLabel[]): ReadonlyMap<string, readonly BarredLabel[]> {
  const found = new Map<string, BarredLabel[]>();
  for (const entry of entries) {
    for (const name of [entry.label.name, entry.label.fullName ?? ""]) {
      const skeleton = tokenNameSkeleton(name);
      const alike = found.get(skeleton);
      if (alike === undefined) found.set(skeleton, [entry]);
      else alike.push(entry);
    }
  }
  found.delete("");
  return found;
}
