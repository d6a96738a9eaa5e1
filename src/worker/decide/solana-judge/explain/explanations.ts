import { NATIVE } from "../../../../chains/solana/rules/token-changes.ts";
import type { OwnFinding } from "../own-finding.ts";
import { type BalanceView, explainOutflow, isPaidTo, type OutflowExplanation } from "./own-outflow.ts";

/** Why a finding is ordinary for this event, as the evidence stores it. The policy decides on its severity. */
export type Explanation = Pick<OwnFinding, "name" | "account" | "gains"> &
  (OutflowExplanation | { readonly by: "own_nonce" });

/** What the worker knows about an event beside the answer of the service. */
export interface ExplainedEvent {
  /** The user's own addresses, as the event names them. */
  readonly named: ReadonlySet<string>;
  readonly signers: ReadonlySet<string>;
  /** The durable nonces that the transactions advance. */
  readonly nonces: readonly string[];
  /** Each transaction, and the sequence as a whole. Undefined if a result has no balances that can be read. */
  readonly views: readonly BalanceView[] | undefined;
}

/**
 * Findings that an address gains a right or money. They are ordinary if it is an address of the user. A wallet that
 * goes to a program is not among them, because no key controls a program.
 */
const GAINS: ReadonlySet<string> = new Set([
  "nonce_authority_changed",
  "token_owner_changed",
  "token_close_authority_changed",
  "token_authority_changed",
  "approval_unknown_delegate",
  "approval_unlimited",
  "account_closed_to_stranger",
  "withdrawn_to_stranger",
  "account_for_another",
  "stake_authority_changed",
  "stake_lockup_changed",
  "vote_account_changed",
  "upgrade_authority_changed",
  "service_pays_stranger",
  "minted_for_another",
  "holdings_unread",
]);

const OUTFLOWS: ReadonlySet<string> = new Set(["majority_of_sol_leaves", "several_assets_leave"]);

/** The findings that are ordinary, each with the reason. */
export function explanationsOf(findings: readonly OwnFinding[], event: ExplainedEvent): readonly Explanation[] {
  return findings.flatMap(({ name, account, gains }) => {
    const why = reasonFor({ name, account, gains }, event);
    if (why === undefined) return [];
    return [{ name, ...(account === undefined ? {} : { account }), ...(gains === undefined ? {} : { gains }), ...why }];
  });
}

interface Stated {
  readonly name: string;
  readonly account: string | undefined;
  readonly gains: string | undefined;
}

function reasonFor({ name, account, gains }: Stated, event: ExplainedEvent) {
  const { named, nonces, views } = event;
  if (name === "durable_nonce")
    return nonces.length > 0 && nonces.every((nonce) => named.has(nonce)) ? ({ by: "own_nonce" } as const) : undefined;
  const isOwn = GAINS.has(name) && gains !== undefined && named.has(gains);
  if (isOwn || (name === "moved_as_delegate" && isMovedWithin(event))) return { by: "own_address" } as const;
  if (!OUTFLOWS.has(name) || account === undefined || views === undefined) return undefined;
  return explainOutflow(name, account, views, named);
}

/** Whether tokens leave only the signers and the user's own addresses, and only the latter gain tokens. */
function isMovedWithin({ named, signers, views }: ExplainedEvent): boolean {
  if (views === undefined || named.size === 0) return false;
  const changes = views.flatMap((view) => view.changes.filter(({ mint }) => mint !== NATIVE));
  const all = changes.flatMap((token) => token.changes);
  const isWithin = all.every(({ holder, begin, end }) => named.has(holder) || (end < begin && signers.has(holder)));
  // Tokens that are burnt gain nothing for any address.
  const isBurnt = changes.some((token) => token.changes.reduce((sum, { begin, end }) => sum + end - begin, 0n) < 0n);
  return all.length > 0 && isWithin && !isBurnt && views.every((view) => isPaidTo(named, view));
}
