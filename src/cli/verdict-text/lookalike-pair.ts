import { parseAddress } from "../../chains/address.ts";
import type { Family } from "../../chains/chain.ts";
import { lookalike, overlap } from "../../chains/lookalike.ts";
import { findChain } from "../../chains/registry.ts";
import type { Reason, Subject } from "../../messages/verdict.ts";

/** A lookalike and the address that it imitates, with the lengths of their equal ends. */
export interface LookalikePair {
  readonly suspect: string;
  readonly imitated: string;
  /** Length of the prefix that all addresses of the format share. */
  readonly constant: number;
  readonly prefix: number;
  readonly suffix: number;
}

/** The pair that a reason names. Undefined when the reason names none, or the two addresses are not alike. */
export function lookalikePair(subject: Subject, { resembles, finding }: Reason): LookalikePair | undefined {
  if (subject.type === "unreadable" || resembles === undefined) return undefined;
  const family = findChain(subject.chain_id)?.family;
  const suspect = finding === "mimics_top_token" ? subject.token_address : subject.address;
  return family === undefined || suspect === undefined ? undefined : pairOf(family, suspect, resembles);
}

function pairOf(family: Family, first: string, second: string): LookalikePair | undefined {
  const a = parseAddress(family, first);
  const b = parseAddress(family, second);
  if (!a.ok || !b.ok || lookalike(family, a.value, b.value) === undefined) return undefined;
  const { prefix, suffix } = overlap(family, a.value, b.value);
  let leading = 0;
  while (a.value[leading] === b.value[leading]) leading++;
  return { suspect: a.value, imitated: b.value, constant: leading - prefix, prefix, suffix };
}

/** The parts of an address of the pair: the equal beginning, the middle, and the equal end. */
export function partsOf(
  text: string,
  { constant, prefix, suffix }: LookalikePair,
): readonly [head: string, middle: string, tail: string] {
  const tail = text.length - suffix;
  return [text.slice(0, constant + prefix), text.slice(constant + prefix, tail), text.slice(tail)];
}

/** A caret below each equal character of the suspect, and the count of both ends. */
export function caretLine({ suspect, constant, prefix, suffix }: LookalikePair): string {
  const between = Math.max(0, suspect.length - constant - prefix - suffix);
  const marks = " ".repeat(constant) + "^".repeat(prefix) + " ".repeat(between) + "^".repeat(suffix);
  return `${marks}  ${prefix}+${suffix} characters equal`;
}
