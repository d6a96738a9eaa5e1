import type { EvmTransactionSecurityResponse } from "../../api/schemas/transaction-security.ts";
import type { EvmChainFacts } from "./facts.ts";

type Rendered = NonNullable<EvmTransactionSecurityResponse["data"]["execution"]>;

/**
 * Maximum length of each list, losses first. Chosen: users do not move more at once, and a verdict has to hold the
 * lists.
 */
const MAX_ITEMS = 100;

/** Renders the execution as the extension spells it. Undefined when the transaction was not executed. */
export function renderExecution({ block, execution }: EvmChainFacts): Rendered | undefined {
  if (execution === undefined) return undefined;
  const at = { ended: execution.ended, block: String(block) };
  if (execution.ended !== "done") return { ...at, reason: execution.reason, balance_changes: [], rights_given: [] };
  const changes = execution.changes.toSorted((a, b) => Number(a.change > 0n) - Number(b.change > 0n));
  const more = Math.max(0, changes.length - MAX_ITEMS) + Math.max(0, execution.grants.length - MAX_ITEMS);
  return {
    ...at,
    ...(more === 0 ? {} : { not_shown: more }),
    balance_changes: changes.slice(0, MAX_ITEMS).map(({ account, standard, token, id, change, before }) => ({
      address: account,
      standard,
      token_address: token ?? "native",
      ...(id === undefined ? {} : { token_id: String(id) }),
      ...(before === undefined ? {} : { begin_value: String(before) }),
      delta_value: String(change),
    })),
    rights_given: execution.grants.slice(0, MAX_ITEMS).map(({ token, giver, spender, amount }) => ({
      token_address: token,
      owner: giver,
      spender,
      amount: amount === undefined ? "all" : String(amount),
    })),
  };
}
