import { type MintDanger, readMint } from "../../../chains/solana/accounts/mint.ts";
import { type SolanaFinding, type SolanaRule, tokenAccountAt } from "./facts.ts";

const says = {
  permanent_delegate: "somebody may move or burn it out of any account at any time",
  transfer_hook: "every transfer calls a program, which may refuse it",
  transfer_fee: "a part of every transfer is kept back, or may be",
  default_frozen: "new accounts of it cannot send until somebody thaws them",
  non_transferable: "it can never be sent on",
} as const satisfies Record<MintDanger, string>;

/** Reports what issuers may do, for the mint of each token account that the transaction touches. */
export const tokenFindings: SolanaRule = ({ simulation: { before, after, mints } }) => {
  const touched = [...after.keys(), ...before.keys()].flatMap((address) => [
    tokenAccountAt(after, address)?.mint,
    tokenAccountAt(before, address)?.mint,
  ]);
  return [...new Set(touched)].flatMap((mint): SolanaFinding[] => {
    const account = mint === undefined ? undefined : mints.get(mint);
    const dangers = account === undefined ? [] : (readMint(account)?.dangers ?? []);
    return dangers.map((danger) => ({
      name: `token_${danger}`,
      description: `the token ${mint}: ${says[danger]}`,
      ...(mint === undefined ? {} : { account: mint }),
    }));
  });
};
