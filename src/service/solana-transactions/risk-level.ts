import { parseAddress } from "../../chains/address.ts";
import { lookalike } from "../../chains/lookalike.ts";
import { findChain } from "../../chains/registry.ts";
import { isStandardProgram, WRAPPED_SOL } from "../../chains/solana/programs.ts";
import type { LabelBook } from "../labels/label-book.ts";

const chain = findChain("solana") ?? bug();

/**
 * Risk level of an address without any record. The address is not thereby safe. Source:
 * docs/decisions/0001-open-points.md, "`risk_level`".
 */
const UNKNOWN = -1;
/** Risk level of an address that imitates another one. Such an address does not come about by accident. */
const LOOKALIKE = 4;

/**
 * The risk level of an address.
 *
 * - A program of the network has level 0.
 * - A labelled address has the worst level that its labels give.
 * - An address that imitates a labelled address or a signer has at least 4, unless a label vouches for it.
 * - An unknown address has -1.
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
