import { lazy } from "../../../kernel/collections.ts";
import { selectorOf } from "../../evm/read-transaction.ts";

/** Calls that contain calls of the same contract, with the index of the word that points at these calls. */
const multicalls: Readonly<Record<string, number>> = {
  "multicall(bytes[])": 0,
  "multicall(uint256,bytes[])": 1,
  "multicall(bytes32,bytes[])": 1,
};

const listBySelector = lazy(
  (): ReadonlyMap<string, number> =>
    new Map(Object.entries(multicalls).map(([signature, word]) => [selectorOf(signature), word])),
);

export const SELECTOR_DIGITS = 8;
export const WORD_DIGITS = 64;
/**
 * The depth of nested calls, and the number of calls, that are read. Chosen: calls of routers stay below both limits.
 */
const MAX_DEPTH = 3;
const MAX_CALLS = 64;

/**
 * The calls found up to now. Offsets may all point at the same bytes, so nested lists can yield far more calls than the
 * calldata holds.
 */
interface Found {
  readonly calls: string[];
  /** The number of lists and calls that were read. */
  seen: number;
  isCut: boolean;
}

export interface CallsInside {
  /** The call itself, or the calls of a multicall in order. */
  readonly calls: readonly string[];
  /** Whether there are more calls, which were not read. */
  readonly isCut: boolean;
}

/** The calls that calldata contains, within the limits of this file. */
export function callsInside(data: string): CallsInside {
  const found: Found = { calls: [], seen: 0, isCut: false };
  follow(data, 1, found);
  return { calls: found.calls, isCut: found.isCut };
}

function follow(data: string, depth: number, found: Found): void {
  found.seen++;
  const list = listBySelector().get(data.slice(0, SELECTOR_DIGITS));
  if (found.seen > MAX_CALLS || (list !== undefined && depth > MAX_DEPTH)) found.isCut = true;
  else if (list === undefined) found.calls.push(data);
  else for (const call of bytesListAt(data.slice(SELECTOR_DIGITS), list, MAX_CALLS + 1)) follow(call, depth + 1, found);
}

/** The first members of a list of bytes that a word points at. Empty when the list does not lie within the data. */
export function bytesListAt(body: string, word: number, most: number): readonly string[] {
  const start = numberAt(body, word * WORD_DIGITS);
  const count = start === undefined ? undefined : numberAt(body, 2 * start);
  if (start === undefined || count === undefined) return [];
  const first = 2 * start + WORD_DIGITS;
  return Array.from({ length: Math.min(count, most) }, (_, i) => {
    const offset = numberAt(body, first + i * WORD_DIGITS);
    const length = offset === undefined ? undefined : numberAt(body, first + 2 * offset);
    if (offset === undefined || length === undefined) return "";
    const from = first + 2 * offset + WORD_DIGITS;
    return body.slice(from, from + 2 * length);
  });
}

/** A number of bytes or members. Undefined when it is missing or exceeds the number of digits. */
export function numberAt(body: string, from: number): number | undefined {
  const digits = wordAt(body, from);
  if (digits === "") return undefined;
  const number = BigInt(`0x${digits}`);
  return number <= BigInt(body.length) ? Number(number) : undefined;
}

/** A whole word. Empty when there is none. */
export function wordAt(body: string, from: number): string {
  const word = body.slice(from, from + WORD_DIGITS);
  return word.length === WORD_DIGITS ? word : "";
}
