import { unreadHolding } from "../../../chains/solana/accounts/unread-holdings.ts";
import type { SolanaFinding, SolanaRule } from "./facts.ts";

/**
 * Reports transfers and approvals in accounts that only their own programs can read. Examples are collectibles that are
 * no tokens, names, and shared wallets. An inner instruction counts only when it names a signer. A holding that goes to
 * a signer is no loss and is not reported.
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
