import { WRAPPED_SOL } from "../../../chains/solana/programs.ts";
import { outflowFindings, outflowOf } from "../../../chains/solana/rules/outflow.ts";
import { NATIVE, ownChanges, SMALL_CHANGE, type TokenChanges } from "../../../chains/solana/rules/token-changes.ts";
import type { OwnFinding } from "./own-finding.ts";
import type { PlainTransfers } from "./plain-transfers.ts";

/** The balance changes of one transaction, or of a sequence as a whole, with its signers. */
export interface SimulatedBalances {
  readonly signers: ReadonlySet<string>;
  readonly changes: readonly TokenChanges[];
  readonly plain: readonly PlainTransfers[];
  /** Accounts with SOL that may still belong to a signer. */
  readonly kept: ReadonlySet<string>;
}

/** Findings from balances, and what the balances leave open, in words. */
export interface ByBalances {
  readonly findings: readonly OwnFinding[];
  readonly open: readonly string[];
}

/** Judges balances as the service does. An asset that comes back has no price here, so the question stays open. */
export function judgeBalances(told: SimulatedBalances): ByBalances {
  const outflows = [...told.signers].map((signer) => judgeOutflow(signer, told));
  return {
    findings: [...outflows.flatMap(({ findings }) => findings), ...lentByOthers(told), ...madeForOthers(told)],
    open: outflows.flatMap(({ open }) => open),
  };
}

function judgeOutflow(signer: string, { changes, kept }: SimulatedBalances): ByBalances {
  const own = ownChanges(signer, changes);
  const sums = { begin: 0n, end: 0n };
  for (const { mint, change } of own) {
    if (mint !== NATIVE && mint !== WRAPPED_SOL) continue;
    sums.begin += change.begin;
    sums.end += change.end;
  }
  sums.end += gainedBy(kept, signer, changes);
  const outflow = outflowOf(signer, own, sums);
  if (outflow === undefined) return { findings: [], open: [] };
  const isToken = (mint: string) => mint !== NATIVE && mint !== WRAPPED_SOL;
  const comesBack = own.some(({ mint, change }) => isToken(mint) && change.end > change.begin);
  if (!comesBack && sums.end - sums.begin <= SMALL_CHANGE) return { findings: outflowFindings(outflow), open: [] };
  return { findings: [], open: [`${outflow.assets.join(", ")} leave ${signer} for something without a price`] };
}

/** Lamports that a signer's other accounts gain. */
function gainedBy(kept: ReadonlySet<string>, signer: string, changes: readonly TokenChanges[]): bigint {
  const native = changes.filter(({ mint }) => mint === NATIVE).flatMap(({ changes: all }) => all);
  const gains = native.filter(({ holder, begin, end }) => holder !== signer && kept.has(holder) && end > begin);
  return gains.reduce((sum, { begin, end }) => sum + end - begin, 0n);
}

/** A holder that does not sign loses tokens, and no program moves its own tokens. So a delegate sends them. */
function lentByOthers({ signers, changes, plain }: SimulatedBalances): readonly OwnFinding[] {
  if (plain.some(({ unshown }) => unshown.length > 0)) return [];
  return changes.flatMap(({ mint, changes: all }) =>
    all
      .filter(({ holder, begin, end }) => mint !== NATIVE && end < begin && !signers.has(holder))
      .map(({ holder }) => ({
        name: "moved_as_delegate",
        account: holder,
        description: `takes tokens ${mint} from ${holder}, which does not sign`,
      })),
  );
}

/** A new token account costs rent, but other accounts gain more SOL than that rent. */
function madeForOthers({ changes, plain }: SimulatedBalances): readonly OwnFinding[] {
  if (!plain.some(({ made }) => made.some(({ mint }) => mint !== WRAPPED_SOL))) return [];
  const native = changes.filter(({ mint }) => mint === NATIVE).flatMap(({ changes: all }) => all);
  const gained = native.reduce((sum, { begin, end }) => (end > begin ? sum + end - begin : sum), 0n);
  if (gained <= SMALL_CHANGE) return [];
  const description = "makes token accounts, and an account gets more SOL than their rents";
  return [{ name: "account_for_another", description }];
}
