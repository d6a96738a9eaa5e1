import type { AddressKind } from "../label.ts";

/** How each kind is looked up by likeness: in its whole family, on its own chain, or not at all. */
export const imitable = {
  exchange: "family",
  bridge: "family",
  protocol: "family",
  token: "chain",
  sanctioned: "never",
  malicious: "never",
  blocked: "never",
  allowed: "never",
} as const satisfies Record<AddressKind, "family" | "chain" | "never">;

/** Chance of an accidental match that the shapes leave, as bits. Source: docs/decisions/0004-lookalikes.md. */
const SHAPE_BITS = 28;
/** What a list asks for beyond log2 of its size: one accident in 2^21 checks, whatever the size. Same source. */
const MARGIN_BITS = 21;

/**
 * Matched bits that a lookalike of one of `count` known addresses must reach; 0 where the shapes ask for as much
 * already. The more addresses there are, the likelier one of them resembles a stranger by accident.
 */
export function barBits(count: number): number {
  const bits = Math.log2(count) + MARGIN_BITS;
  return bits > SHAPE_BITS ? bits : 0;
}
