import type { RouteName, SentTo } from "../../api/routes.ts";
import type { AdapterOperation } from "../../api/schemas/adapter-answers.ts";
import type { ChainAddress } from "../../api/schemas/address-poisoning.ts";
import { RejectedError, UNSENT } from "../../worker/answers/service-errors.ts";

/** An address with its chain: `1` and other decimal ids of EVM chains, `tron`, `solana`, `bitcoin`. */
export interface QuestionAddress {
  readonly chain: string;
  readonly address: string;
}

/** Whether one address is poisoning, compared with the known addresses of its user. */
export interface AdapterPoisoningQuestion extends QuestionAddress {
  readonly users: readonly string[];
  readonly token?: string;
}

export interface PoisoningBatchQuestion {
  readonly users: readonly QuestionAddress[];
  readonly targets: readonly QuestionAddress[];
  readonly tokens: readonly QuestionAddress[];
}

/** One question to an adapter. */
export interface AdapterQuestion {
  readonly operation: AdapterOperation;
  readonly question: object;
}

/**
 * The question in a request of the interface, in the terms of adapters. For an adapter without batches, a batch of one
 * target is the question about that target.
 *
 * @throws {RejectedError} for a batch of several targets, which the worker never sends to such an adapter.
 */
export function questionIn<N extends RouteName>(route: N, request: SentTo<N>, hasBatches: boolean): AdapterQuestion {
  const read = questions[route] as (request: SentTo<N>, hasBatches: boolean) => AdapterQuestion;
  return read(request, hasBatches);
}

const questions: { readonly [N in RouteName]: (request: SentTo<N>, hasBatches: boolean) => AdapterQuestion } = {
  poisoningBatch: (request, hasBatches) =>
    hasBatches
      ? { operation: "address-poisoning-batch", question: batchIn(request) }
      : { operation: "address-poisoning", question: oneOf(batchIn(request)) },
  poisoningSingle: (request) => ({ operation: "address-poisoning", question: singleIn(request) }),
  poisoningQuery: (request) => ({ operation: "address-poisoning", question: singleIn(request) }),
  tokenSecurity: ({ chainId, address }) => ({ operation: "token-security", question: { chain: chainId, address } }),
  classifyQuery: ({ chain_id, address }) => ({ operation: "address-classify", question: { chain: chain_id, address } }),
  classifyBody: ({ chain_id, address }) => ({ operation: "address-classify", question: { chain: chain_id, address } }),
  transactionSecurity: ({ tron_transactions, dapp_url }) => ({
    operation: "transaction-security",
    question: { transaction: tron_transactions[0], ...(dapp_url === undefined ? {} : { dapp_url }) },
  }),
  evmTransactionSecurity: ({ chain_id, user_addresses = [], ...transaction }) => ({
    operation: "evm-transaction-security",
    question: { chain: String(chain_id), ...transaction, users: user_addresses },
  }),
  solanaEmulate: (request) => ({ operation: "solana-emulate", question: request }),
};

function singleIn(request: SentTo<"poisoningSingle">): AdapterPoisoningQuestion {
  const { chain_id, address, user_address: user = "", token_address: token = "" } = request;
  return {
    chain: String(chain_id),
    address,
    users: user === "" ? [] : [user],
    ...(token === "" ? {} : { token }),
  };
}

function batchIn(request: SentTo<"poisoningBatch">): PoisoningBatchQuestion {
  const items = (list: readonly SentItem[] = []) =>
    list.map(({ chain_id, address }) => ({ chain: String(chain_id), address }));
  return {
    users: items(request.user_addresses),
    targets: items(request.target_addresses),
    tokens: items(request.token_addresses),
  };
}

type SentItem = Pick<NonNullable<SentTo<"poisoningBatch">["target_addresses"]>[number], keyof ChainAddress>;

function oneOf({ users, targets, tokens }: PoisoningBatchQuestion): AdapterPoisoningQuestion {
  const [target, ...others] = targets;
  const isOfOneChain = [...users, ...tokens].every(({ chain }) => chain === target?.chain);
  if (target === undefined || others.length > 0 || tokens.length > 1 || !isOfOneChain)
    throw new RejectedError(
      "the adapter takes one address a request: it has no operation address-poisoning-batch",
      UNSENT,
    );
  const [token] = tokens;
  return {
    ...target,
    users: users.map(({ address }) => address),
    ...(token === undefined ? {} : { token: token.address }),
  };
}
