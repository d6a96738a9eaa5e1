import type { CanonicalAddress } from "../../chains/address.ts";
import { type AbiValue, readArguments } from "../../chains/evm/abi/abi-reader.ts";
import { readSignature } from "../../chains/evm/abi/abi-type.ts";
import { parseHex, toHex } from "../../evm-analysis/machine/code.ts";
import type { CallResult, Experiment, TransactionEnding, ViewCall } from "../evm/node.ts";
import { observerCode, observeSelector } from "./observer.generated.ts";

/** A transaction that the observer sends. `data` is 0x and hex. */
export interface Observed {
  readonly from: CanonicalAddress;
  readonly to: CanonicalAddress;
  readonly value: bigint;
  readonly data: string;
}

/** The observer's result. A read without data is the read of a native balance. */
export interface Observation {
  readonly ending: TransactionEnding;
  readonly before: readonly CallResult[];
  readonly after: readonly CallResult[];
}

const WORD_DIGITS = 64;
const word = (number: bigint | number) => number.toString(16).padStart(WORD_DIGITS, "0");
const addressWord = (address: string) => address.slice(2).padStart(WORD_DIGITS, "0");

/**
 * Encodes the transaction as one call, with the observer's code at the sender's address. Source:
 * contracts/observer.sol.
 */
export function observation({ from, to, value, data }: Observed, looks: readonly ViewCall[]): Experiment {
  const encoded = looks.map((look) => `${addressWord(look.to)}${word(64)}${bytesWords(look.data)}`);
  let at = 32 * looks.length;
  const offsets = encoded.map((text) => {
    const offset = word(at);
    at += text.length / 2;
    return offset;
  });
  const list = `${word(looks.length)}${offsets.join("")}${encoded.join("")}`;
  const head = `${word(128)}${addressWord(to)}${word(value)}${word(128 + list.length / 2)}`;
  const overrides = [{ address: from, code: observerCode }];
  return { from, to: from, data: `0x${observeSelector}${head}${list}${bytesWords(data)}`, overrides };
}

function bytesWords(data: string): string {
  const digits = data.slice(2);
  return `${word(digits.length / 2)}${digits.padEnd(Math.ceil(digits.length / WORD_DIGITS) * WORD_DIGITS, "0")}`;
}

const answer = readSignature("x(bool,bytes,bytes[],bytes[])").inputs;

/** @returns undefined for data that is no answer of the observer, for example from a node that ignores its code. */
export function readObservation(data: Uint8Array, looks: number): Observation | undefined {
  const [ok, reason, before, after] = readArguments(toHex(data), answer) ?? [];
  const [first, second] = [resultsOf(before), resultsOf(after)];
  if (typeof ok !== "boolean" || first?.length !== looks || second?.length !== looks) return undefined;
  return { ending: ok ? { ok } : { ok, returned: bytesOf(reason) }, before: first, after: second };
}

/** A read that failed has no bytes. */
function resultsOf(value: AbiValue | undefined): readonly CallResult[] | undefined {
  if (typeof value !== "object" || !("items" in value)) return undefined;
  return value.items.map((item) => {
    const bytes = bytesOf(item);
    return bytes.length === 0 ? { ok: false } : { ok: true, data: bytes };
  });
}

function bytesOf(value: AbiValue | undefined): Uint8Array {
  return (typeof value === "object" && "hex" in value ? parseHex(value.hex) : undefined) ?? new Uint8Array();
}
