import { parseAddress } from "../../chains/address.ts";
import { lookalike } from "../../chains/lookalike.ts";
import { findChain } from "../../chains/registry.ts";
import { isStandardProgram, WRAPPED_SOL } from "../../chains/solana/programs.ts";
import type { LabelBook } from "../labels/label-book.ts";

const chain = findChain("solana") ?? bug();

/** An address that nobody has a record of, which is not a safe one. Source: docs/decisions/0001-open-points.md, "risk level scale". */
const UNKNOWN = -1;
/** An address made to be taken for another one: nobody makes one by accident. */
const LOOKALIKE = 4;

/**
 * The risk level of an address: 0 for a program of the network; of a labelled address the worst that its labels say; 4
 * at least for one that imitates a labelled one, or one that signs, and that no label vouches for; -1 for whatever nobody knows.
 */
export function riskLevel(text: string, signers: readonly string[], labels: LabelBook): number {
  if (isStandardProgram(text) || text === WRAPPED_SOL) return 0;
  const parsed = parseAddress("solana", text);
  if (!parsed.ok) return UNKNOWN;
  const address = parsed.value;
  const labelled = labels.riskOf(chain, address) ?? UNKNOWN;
  if (labels.isWellKnown(chain, address)) return labelled;
  const imitatesLabel =
    labels.wellKnownImitatedBy("solana", address) !== undefined || labels.tokenImitatedBy(chain, address) !== undefined;
  const imitatesSigner = signers.some((signer) => {
    const own = parseAddress("solana", signer);
    return own.ok && own.value !== address && lookalike("solana", own.value, address) !== undefined;
  });
  return imitatesLabel || imitatesSigner ? Math.max(LOOKALIKE, labelled) : labelled;
}

function bug(): never {
  throw new Error("the registry has no Solana");
}
