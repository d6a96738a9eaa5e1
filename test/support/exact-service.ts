import type { ResponseOf, RouteName, SentTo } from "../../src/api/routes.ts";
import { RejectedError } from "../../src/worker/answers/service-errors.ts";
import type { SecurityService } from "../../src/worker/ports.ts";
import { answers, projected, requests, type Shape } from "../fakes/exact-service/fields.ts";

/** By route. The operation for EVM transactions exists only in Weir and has no shape. */
const shapes: Readonly<Partial<Record<RouteName, { readonly request: Shape; readonly answer: Shape }>>> =
  Object.fromEntries(
    (Object.keys(answers) as (keyof typeof answers)[]).map((route) => [
      route,
      { request: requests[route], answer: answers[route] },
    ]),
  );

/**
 * `service` reduced to service-interface.txt: it drops unknown fields of requests, its answers have no additional
 * field, and it has no additional operation.
 *
 * @param known Solana accounts that the service's database has, and Weir's labels have not: their risk is 0, and not
 * -1.
 */
export function exactService(service: SecurityService, known: readonly string[] = []): SecurityService {
  return {
    async ask<N extends RouteName>(name: N, request: SentTo<N>, signal: AbortSignal): Promise<ResponseOf<N>> {
      const shape = shapes[name];
      if (shape === undefined) throw new RejectedError("unsupported operation");
      const answer = await service.ask(name, projected(request, shape.request) as SentTo<N>, signal);
      return inShape(knowing(answer, known), shape.answer) as ResponseOf<N>;
    },
  };
}

/** An answer to `route` without fields beyond the interface; undefined where the interface has no such operation. */
export function exactAnswer(route: RouteName, answer: unknown): unknown {
  const shape = shapes[route];
  return shape === undefined ? undefined : inShape(answer, shape.answer);
}

function knowing(answer: unknown, known: readonly string[]): unknown {
  if (known.length === 0) return answer;
  return JSON.parse(JSON.stringify(answer), (_field, value: unknown) => {
    const { address, risk_level } = Object(value);
    return risk_level === -1 && known.includes(address) ? { address, risk_level: 0 } : value;
  });
}

function inShape(answer: unknown, shape: Shape): unknown {
  const { code, status, pollAfter, data } = answer as Readonly<Record<string, unknown>>;
  return {
    code,
    status,
    ...(pollAfter === undefined ? {} : { pollAfter }),
    ...(data === undefined ? {} : { data: projected(data, shape) }),
  };
}
