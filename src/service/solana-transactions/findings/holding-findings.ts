import { unreadHolding } from "../../../chains/solana/accounts/unread-holdings.ts";
import type { SolanaFinding, SolanaRule } from "./facts.ts";

/**
 * What goes, or is agreed to, in accounts that only their programs can read: collectibles that are no tokens, names, shared
 * wallets. Of inner instructions those count in which somebody who signs takes part; what comes to him is no loss of his.
 */
export const holdingFindings: SolanaRule = ({ calls, signers }) =>
  calls.flatMap((call): SolanaFinding[] => {
    const isOwn = (account: string | undefined) => account !== undefined && signers.has(account);
    const holding = call.isInner && !call.accounts.some(isOwn) ? undefined : unreadHolding(call);
    if (holding === undefined || isOwn(holding.to)) return [];
    const { what, to } = holding;
    const description = `changes who has what among ${what} of the program ${call.program}${to === undefined ? "" : `, for ${to}`}: no balance shows it`;
    return [
      { name: "holdings_unread", account: call.program, ...(to === undefined ? {} : { gains: to }), description },
    ];
  });
