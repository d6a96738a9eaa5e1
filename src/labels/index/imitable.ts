import type { AddressKind } from "../label.ts";

/** The scope in which each kind is searched for lookalikes: its whole family, its own chain, or none. */
export const imitable = {
  exchange: "family",
  bridge: "family",
  protocol: "family",
  token: "chain",
  delegate: "family",
  sanctioned: "never",
  malicious: "never",
  blocked: "never",
  allowed: "never",
} as const satisfies Record<AddressKind, "family" | "chain" | "never">;

/** The chance of an accidental match that the shapes leave, in bits. Source: docs/decisions/0004-lookalikes.md. */
const SHAPE_BITS = 28;
/**
 * The bits that a list needs beyond log2 of its size: one accident in 2^21 checks for any size. Source:
 * docs/decisions/0004-lookalikes.md.
 */
const MARGIN_BITS = 21;

/**
 * Matched bits that a lookalike of one of `count` known addresses must reach. 0 when the shapes already require as
 * many. The more addresses a list has, the likelier a stranger's address resembles one by accident.
 */
export function barBits(count: number): number {
  const bits = Math.log2(count) + MARGIN_BITS;
  return bits > SHAPE_BITS ? bits : 0;
}
