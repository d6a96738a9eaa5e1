import { requestParser } from "../../src/api/requests/request.ts";
import { type ResponseOf, type RouteName, routes, type SentTo } from "../../src/api/routes.ts";
import type { Answer } from "../../src/service/answer.ts";
import type { LabelBook } from "../../src/service/labels/label-book.ts";
import { type OperationDeps, operationsOver } from "../../src/service/operations.ts";
import type { SolanaBackend } from "../../src/service/solana-transactions/emulate.ts";
import { ChainUnsupportedError, RejectedError } from "../../src/worker/answers/service-errors.ts";
import type { SecurityService } from "../../src/worker/ports.ts";

/** The real operations without HTTP, for tests that depend on answers, and not on their transport. */
export function inProcessService(
  book: LabelBook,
  solana?: SolanaBackend,
  evm: Pick<OperationDeps, "evm" | "tokens"> = {},
): SecurityService {
  const operations = operationsOver({ labels: () => book, ...(solana === undefined ? {} : { solana }), ...evm });
  return {
    async ask<N extends RouteName>(name: N, request: SentTo<N>): Promise<ResponseOf<N>> {
      const parsed = requestParser(routes[name].request)(request);
      if (!parsed.ok) throw new RejectedError(parsed.detail);
      const operation = operations[name] as (
        request: unknown,
      ) => Answer<ResponseOf<N>> | Promise<Answer<ResponseOf<N>>>;
      const answer = await operation(parsed.value);
      if (answer.ok) return answer.body;
      throw answer.failure === "unsupportedChain"
        ? new ChainUnsupportedError(answer.detail)
        : new RejectedError(answer.detail);
    },
  };
}
