import type { RequestOf, ResponseOf, RouteName } from "../api/routes.ts";
import { classifierOver, type EvmBackend } from "./address-classify/classify.ts";
import { screenBatch, screenSingle } from "./address-poisoning/screen.ts";
import type { Answer } from "./answer.ts";
import { analyseEvmTransaction } from "./evm-transactions/analyse-evm-transaction.ts";
import type { LabelBook } from "./labels/label-book.ts";
import { emulate, type SolanaBackend } from "./solana-transactions/emulate.ts";
import { type TokenBackend, tokenAnalyserOver } from "./token-security/analyse-token.ts";
import { analyseTransaction } from "./tron-transactions/analyse-transaction.ts";
import type { TronNode } from "./tron-transactions/tron-node.ts";

type Operation<N extends RouteName> = (request: RequestOf<N>) => Answer<ResponseOf<N>> | Promise<Answer<ResponseOf<N>>>;

/** What each row of the routes table is answered by. A new row does not compile until it stands here. */
export type Operations = { readonly [N in RouteName]: Operation<N> };

/** What the operations need. */
export interface OperationDeps {
  /** Read at each request, so that a reload takes effect at once. */
  readonly labels: () => LabelBook;
  /** Simulates Solana transactions; without one that chain is unsupported. */
  readonly solana?: SolanaBackend;
  /** Runs calls of TRON's contracts and knows its accounts; without one transactions are judged by what they say. */
  readonly tron?: TronNode;
  /** Asks EVM chains; without one they are unsupported where a node is needed. */
  readonly evm?: EvmBackend;
  /** Reads and tries out tokens of EVM chains; without one they are unsupported. */
  readonly tokens?: TokenBackend;
}

/** The operations over what they need. */
export function operationsOver(deps: OperationDeps): Operations {
  const classify = classifierOver(deps.evm);
  return {
    solanaEmulate: (request) => emulate(request, deps.labels(), deps.solana),
    tokenSecurity: tokenAnalyserOver(deps.tokens, deps.labels),
    transactionSecurity: (request) => analyseTransaction(request, deps.labels(), deps.tron),
    evmTransactionSecurity: (request) => analyseEvmTransaction(request, deps.labels(), deps.evm),
    poisoningBatch: (request) => screenBatch(request, deps.labels()),
    poisoningSingle: (request) => screenSingle(request, deps.labels()),
    poisoningQuery: (request) => screenSingle(request, deps.labels()),
    classifyQuery: ({ strict, ...subject }) => classify({ ...subject, strict: strict === "true" || strict === "1" }),
    classifyBody: classify,
  };
}
