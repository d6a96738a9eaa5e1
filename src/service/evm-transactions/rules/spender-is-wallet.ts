import type { EvmRule } from "./rule.ts";

/** An honest service spends through its contract. A wallet with an allowance takes the tokens by its key. */
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
