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

/** The operation behind each row of the routes table. A new row does not compile without an entry here. */
export type Operations = { readonly [N in RouteName]: Operation<N> };

/** The collaborators of the operations. */
export interface OperationDeps {
  /** Read at each request, so that a reload takes effect at once. */
  readonly labels: () => LabelBook;
  /** Simulates Solana transactions. Without it, Solana is unsupported. */
  readonly solana?: SolanaBackend;
  /**
   * Executes calls of TRON contracts and reads accounts. Without it, transactions are judged by their content alone.
   */
  readonly tron?: TronNode;
  /** Reads EVM chains. Without it, operations that need a node are unsupported on EVM chains. */
  readonly evm?: EvmBackend;
  /** Analyses tokens of EVM chains. Without it, token security is unsupported. */
  readonly tokens?: TokenBackend;
}

/** Builds the operations from their collaborators. */
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
