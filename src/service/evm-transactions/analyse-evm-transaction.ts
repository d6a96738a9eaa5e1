import { success } from "../../api/envelope.ts";
import { failures } from "../../api/failures.ts";
import { quantityOf } from "../../api/schemas/evm-transaction.ts";
import type {
  EvmTransactionSecurityRequest,
  EvmTransactionSecurityResponse,
} from "../../api/schemas/transaction-security.ts";
import { type CanonicalAddress, parseAddressOn } from "../../chains/address.ts";
import type { Chain } from "../../chains/chain.ts";
import { type EvmTransfer, readTransaction } from "../../chains/evm/read-transaction.ts";
import { findChain } from "../../chains/registry.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import type { EvmBackend } from "../address-classify/classify.ts";
import { type Answer, answer, refuse } from "../answer.ts";
import { NodeUnavailableError } from "../evm/node.ts";
import type { LabelBook } from "../labels/label-book.ts";
import { applyRules } from "../rules/rule-engine.ts";
import { unsupported } from "../subject.ts";
import { render } from "../tron-transactions/render.ts";
import { askChain } from "./chain-facts.ts";
import type { EvmChainFacts } from "./facts.ts";
import { gather, partiesIn } from "./gather.ts";
import { renderExecution } from "./render-execution.ts";
import { rules } from "./rules/rules.ts";

/** `not_analysed`: the transaction was not executed. */
const NOT_EXECUTED = "execution";
/** `not_analysed`: the code at its addresses and the sender's balance were not read. */
const NOT_READ = "state";
/** `not_analysed`: event logs were not seen, so approvals and single items during the execution are unknown. */
const NO_LOGS = "logs";
/** `not_analysed`: the sender's balances of tokens that the calldata does not name were not read. */
const NO_BALANCES = "balances";

/**
 * Analyses one flattened EVM transaction. The calldata always counts. With a configured node, the chain's state and a
 * simulated execution count as well. When the node fails, only a BLOCK is answered, because no answer of the node could
 * revoke it. Source: docs/evm-transactions.md.
 */
export async function analyseEvmTransaction(
  request: EvmTransactionSecurityRequest,
  labels: LabelBook,
  backend?: EvmBackend,
): Promise<Answer<EvmTransactionSecurityResponse>> {
  const chain = findChain(request.chain_id);
  if (chain?.family !== "evm") return unsupported(request.chain_id);
  const read = addressesOf(request, chain);
  if (!read.ok) return refuse("invalidAddress", read.detail);
  const { transaction, users } = read.value;
  const does = readTransaction(transaction);
  const judged = (state: EvmChainFacts | undefined) => {
    const facts = gather(chain, transaction, does, users, labels, state);
    return render(applyRules(rules, facts));
  };
  const { delegates } = transaction;
  const echo = delegates.length === 0 ? {} : { delegates: [...delegates] };
  const node = backend?.nodes.find(chain.id);
  if (node === undefined || backend === undefined) {
    return answer(success({ security: { ...judged(undefined), not_analysed: [NOT_EXECUTED, NOT_READ] }, ...echo }));
  }
  try {
    const state = await askChain(node, transaction, does, partiesIn(does), backend.clock);
    const [execution, missing] = [renderExecution(state), missingIn(state)];
    const security = { ...judged(state), ...(missing.length === 0 ? {} : { not_analysed: missing }) };
    return answer(success({ security, ...(execution === undefined ? {} : { execution }), ...echo }));
  } catch (thrown) {
    if (!(thrown instanceof NodeUnavailableError)) throw thrown;
    const security = judged(undefined);
    if (security.recommended_action !== "BLOCK") return refuse("internal", failures.internal.status);
    return answer(success({ security: { ...security, not_analysed: [NOT_EXECUTED, NOT_READ] }, ...echo }));
  }
}

function missingIn({ execution }: EvmChainFacts): string[] {
  if (execution === undefined || execution.ended === "unclear") return [NOT_EXECUTED];
  if (execution.ended === "failed" || execution.seen === "all") return [];
  return execution.seen === "balances" ? [NO_LOGS] : [NO_LOGS, NO_BALANCES];
}

function addressesOf(
  request: EvmTransactionSecurityRequest,
  chain: Chain,
): Result<{ readonly transaction: EvmTransfer; readonly users: readonly CanonicalAddress[] }> {
  const { from, to, value = 0, data = "", authorization_list: list = [], user_addresses: known = [] } = request;
  const named: (readonly [path: string, text: string])[] = [
    ["from", from],
    ...(to === undefined ? [] : [["to", to] as const]),
    ...list.map(({ address }, i) => [`authorization_list[${i}].address`, address] as const),
    ...known.map((text, i) => [`user_addresses[${i}]`, text] as const),
  ];
  const parsed: CanonicalAddress[] = [];
  for (const [path, text] of named) {
    const address = parseAddressOn(chain, text);
    if (!address.ok) return fail(`${path}: ${address.detail}`);
    parsed.push(address.value);
  }
  const [sender, ...others] = parsed;
  if (sender === undefined) return fail("from: field required");
  const receiver = to === undefined ? undefined : others.shift();
  return ok({
    transaction: {
      from: sender,
      to: receiver,
      value: quantityOf(value),
      data: data.replace(/^0x/, "").toLowerCase(),
      delegates: others.slice(0, list.length),
    },
    users: others.slice(list.length),
  });
}
