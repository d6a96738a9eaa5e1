import { keysText, weighed } from "./permission-text.ts";
import type { TronRule } from "./rule.ts";

/** A stranger's key may produce blocks in the user's name. A representative may want this, and it moves no funds. */
export const witnessKeyOfStranger: TronRule = ({ permissions }) => {
  const strangers = [...new Set(permissions?.newWitnesses ?? [])];
  const witness = permissions?.witness;
  if (witness === undefined || strangers.length === 0) return undefined;
  const who = keysText(weighed(witness.keys, strangers));
  return `lets ${who} produce blocks for you, by a threshold of ${witness.threshold}`;
};
