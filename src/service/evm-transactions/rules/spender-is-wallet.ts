import type { EvmRule } from "./rule.ts";

/** An honest service spends by its contract: whoever holds a key takes what he is let have. */
export const spenderIsWallet: EvmRule = ({ does, chain }) => {
  const found = does.acts.find(
    (act) => (act.does === "approve" || act.does === "approve_all") && isAccount(chain?.codeAt.get(act.spender)),
  );
  return found !== undefined && "spender" in found
    ? `lets ${found.spender} take your tokens, which is no contract but somebody's wallet`
    : undefined;
};

function isAccount(kind: "wallet" | "contract" | "delegated" | undefined): boolean {
  return kind === "wallet" || kind === "delegated";
}
