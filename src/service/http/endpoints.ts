import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { failureBody, failures } from "../../api/failures.ts";
import { type RequestParser, requestParser } from "../../api/requests/request.ts";
import type { Route, RouteName } from "../../api/routes.ts";
import { toError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Answer } from "../answer.ts";
import { refuse } from "../answer.ts";
import type { Operations } from "../operations.ts";
import { parseBody } from "./body.ts";
import type { ServedObserver } from "./served-observer.ts";

interface Row {
  readonly name: RouteName;
  readonly route: Route;
  readonly parse: RequestParser<unknown>;
  readonly operation: (request: unknown) => unknown;
}

export interface EndpointsDeps {
  readonly operations: Operations;
  readonly log: Log;
  readonly observer: ServedObserver;
}

/** One HTTP endpoint per method and path. The `selects` of a row chooses between rows with the same method and path. */
export function endpoints(table: Readonly<Record<RouteName, Route>>, deps: EndpointsDeps): RouteOptions[] {
  const rowsByEndpoint = new Map<string, Row[]>();
  for (const [name, route] of Object.entries(table) as [RouteName, Route][]) {
    const operation = deps.operations[name] as Row["operation"];
    const row = { name, route, parse: requestParser(route.request, route.guarded), operation };
    const endpoint = `${route.method} ${route.path}`;
    rowsByEndpoint.set(endpoint, [...(rowsByEndpoint.get(endpoint) ?? []), row]);
  }
  return [...rowsByEndpoint.values()].map((rows) => endpointOf(rows, deps));
}

const noBody = new Uint8Array();

function endpointOf(rows: readonly Row[], { log, observer }: EndpointsDeps): RouteOptions {
  const [first] = rows;
  if (first === undefined) throw new Error("an endpoint without rows");
  const exactNumbers = rows.some(({ route }) => route.exactNumbers === true);
  const read = (request: FastifyRequest) =>
    first.route.method === "GET"
      ? { ok: true as const, value: request.query }
      : parseBody(request.body instanceof Uint8Array ? request.body : noBody, exactNumbers);
  const answeredBy = new WeakMap<FastifyRequest, RouteName>();
  return {
    method: first.route.method,
    url: first.route.path,
    onResponse: (request, reply, done) => {
      observer.answered(answeredBy.get(request) ?? first.name, reply.statusCode, reply.elapsedTime / 1_000);
      done();
    },
    handler: async (request, reply) => {
      const input = read(request);
      if (!input.ok) return send(reply, refuse("invalidRequest", input.detail));
      const row = rowFor(rows, input.value);
      answeredBy.set(request, row.name);
      return send(reply, await run(row, input.value, log));
    },
  };
}

function rowFor(rows: readonly Row[], input: unknown): Row {
  const row = rows.find(({ route }) => route.selects?.(input)) ?? rows.find(({ route }) => route.selects === undefined);
  if (row === undefined) throw toError("no row takes this request");
  return row;
}

async function run(row: Row, input: unknown, log: Log): Promise<Answer<unknown>> {
  const request = row.parse(input);
  if (!request.ok) return refuse(row.route.mismatch, request.detail);
  return answerOf(row, request.value, log);
}

/** Every error that an operation throws is an internal failure. It may carry a client status, or be no Error at all. */
async function answerOf({ route, operation }: Row, request: unknown, log: Log): Promise<Answer<unknown>> {
  try {
    return (await operation(request)) as Answer<unknown>;
  } catch (thrown) {
    log.error("a request failed", { url: route.path, error: toError(thrown) });
    return refuse("internal", failures.internal.status);
  }
}

function send(reply: FastifyReply, result: Answer<unknown>): FastifyReply {
  if (result.ok) return reply.send(result.body);
  return reply.code(failures[result.failure].http).send(failureBody(result.failure, result.detail));
}
