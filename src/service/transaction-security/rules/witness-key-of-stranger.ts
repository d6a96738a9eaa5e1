import type { Finds } from "./rule.ts";

/** Another's key could produce blocks in the user's name, as a representative may want; it moves no funds. */
export const witnessKeyOfStranger: Finds = ({ permissions }) => {
  const strangers = [...new Set(permissions?.newWitnesses ?? [])];
  return strangers.length === 0 ? undefined : `lets ${strangers.join(", ")} produce blocks for you`;
};
