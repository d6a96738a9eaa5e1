import type { TronRule } from "./rule.ts";

/** A bit without an operation today may get an operation later. */
export const unknownOperationBits: TronRule = ({ permissions }) => {
  const ids = new Set((permissions?.actives ?? []).flatMap(({ granted }) => granted.unknownIds));
  if (ids.size === 0) return undefined;
  return `an active permission grants operations that the protocol does not have: ${[...ids]
    .sort((a, b) => a - b)
    .slice(0, 10)
    .join(", ")}`;
};
