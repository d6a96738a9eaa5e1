import { type CanonicalAddress, parseAddress } from "../../src/chains/address.ts";
import { formatOf } from "../../src/chains/address-format.ts";
import type { Chain, Family } from "../../src/chains/chain.ts";
import { findChain } from "../../src/chains/registry.ts";
import { sha256 } from "../../src/kernel/hash.ts";
import { type BatchEntry, partOf } from "../../src/worker/batching/batch-entry.ts";
import { calibrationOf, probesOf } from "../../src/worker/batching/calibration/calibration-rules.ts";
import { batchPositions, type CalibrationTable } from "../../src/worker/batching/canary.ts";
import type { PoisoningQuestion } from "../../src/worker/plan/question.ts";

export function chainOf(id: string): Chain {
  const chain = findChain(id);
  if (chain === undefined) throw new Error(`no chain ${id}`);
  return chain;
}

export function addressOf(text: string, family: Family = "evm"): CanonicalAddress {
  const parsed = parseAddress(family, text);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.value;
}

/** An EVM address by number. No two of the first 4,095 resemble each other. */
export function evm(i: number): CanonicalAddress {
  const ends = i.toString(16).padStart(3, "0");
  return addressOf(`0x${ends}c${middle(`${i}`)}c${ends}`);
}

/** Resembles `evm(i)` by the least number of characters: three and four. */
export function evmAlike(i: number): CanonicalAddress {
  const ends = i.toString(16).padStart(3, "0");
  return addressOf(`0x${ends}d${middle(`alike ${i}`)}c${ends}`);
}

/** Addresses that share all but a few characters of their middles count as equal, so each has its own middle. */
function middle(name: string): string {
  return sha256(name).slice(0, 32);
}

export interface PartFields {
  readonly chain?: Chain;
  readonly target?: CanonicalAddress;
  readonly token?: CanonicalAddress;
  readonly users?: readonly CanonicalAddress[];
}

/** Event `i` has its own target and its own user, distinct from all others. */
export function event(i: number) {
  return { target: evm(i), users: [evm(1000 + i)] };
}

export function questionAbout({ chain, target, token, users }: PartFields): PoisoningQuestion {
  return { check: "poisoning", chain: chain ?? chainOf("1"), target: target ?? evm(1), token, users: users ?? [] };
}

export function partAbout(fields: PartFields): BatchEntry {
  const { chain, target, token, users } = questionAbout(fields);
  return partOf(chain, target, token, users);
}

/** What calibration finds out about a service that flags each shape of each format, and nothing looser. */
export const calibrated: CalibrationTable = (family, format) =>
  calibrationOf(
    probesOf(family, format).find(({ shape }) =>
      format.shapes.some(({ prefix, suffix }) => shape.prefix >= prefix && shape.suffix >= suffix),
    ),
    family,
    format,
  );

/** The canaries of EVM chains: a weaker imitation is not flagged. */
const evmCanaries = calibrated("evm", formatOf("evm", evm(1)))?.canaries;
export const [evmCanary, evmMiddleCanary, evmBackCanary] = batchPositions.map((place) => evmCanaries?.[place]);

/** Whether the address is the target of a canary of EVM chains. */
export function isCanaryTarget(address: string): boolean {
  return batchPositions.some((place) => evmCanaries?.[place].target === address);
}
