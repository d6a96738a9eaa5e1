import type { ResponseOf, RouteName, SentTo } from "../../src/contract/routes.ts";
import type { SecurityService } from "../../src/worker/ports.ts";
import { RejectedError } from "../../src/worker/service-errors.ts";
import { answers, projected, type Shape } from "../fakes/exact-service/answers.ts";
import { exactSolanaService } from "./exact-solana-service.ts";

/** Of each route, the fields of its `data` by the interface. The operation for EVM transactions is our own. */
const shapes: Readonly<Partial<Record<RouteName, Shape>>> = {
  poisoningBatch: answers.poisoningBatch,
  poisoningSingle: answers.poisoningSingle,
  poisoningQuery: answers.poisoningSingle,
  tokenSecurity: answers.tokenSecurity,
  transactionSecurity: answers.transactionSecurity,
  classifyQuery: answers.classify,
  classifyBody: answers.classify,
};

/**
 * `service` as one that implements service-interface.txt and nothing else: unknown fields of requests are dropped, answers
 * hold no field more, and there is no operation beside those of the interface.
 */
export function exactService(service: SecurityService): SecurityService {
  const solana = exactSolanaService(service);
  return {
    async ask<N extends RouteName>(name: N, request: SentTo<N>, signal: AbortSignal): Promise<ResponseOf<N>> {
      if (name === "solanaEmulate") return solana.ask(name, request, signal);
      const shape = shapes[name];
      if (shape === undefined) throw new RejectedError("unsupported operation");
      const answer = (await service.ask(name, exactRequest(request), signal)) as object;
      const data: unknown = Reflect.get(answer, "data");
      const { code, status, pollAfter } = answer as Readonly<Record<string, unknown>>;
      const envelope = { code, status, ...(pollAfter === undefined ? {} : { pollAfter }) };
      return (data === undefined ? envelope : { ...envelope, data: projected(data, shape) }) as ResponseOf<N>;
    },
  };
}

/** Extras of requests that our own service reads, wherever they stand. */
const extras: ReadonlySet<string> = new Set(["symbol", "name", "token_symbol", "token_name", "wait", "sequence"]);

function exactRequest<R>(request: R): R {
  if (Array.isArray(request)) return request.map(exactRequest) as R;
  if (typeof request !== "object" || request === null) return request;
  // A transaction of TRON is sent as it is.
  const fields = Object.entries(request).filter(([field]) => !extras.has(field));
  return Object.fromEntries(
    fields.map(([field, value]) => [field, field === "tron_transactions" ? value : exactRequest(value)]),
  ) as R;
}
