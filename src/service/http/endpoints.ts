import type { FastifyReply, FastifyRequest, RouteOptions } from "fastify";
import { failureBody, failures } from "../../contract/failures.ts";
import { type RequestParser, requestParser } from "../../contract/request.ts";
import type { Route, RouteName } from "../../contract/routes.ts";
import { toError } from "../../kernel/errors.ts";
import type { Answer } from "../answer.ts";
import { refuse } from "../answer.ts";
import type { Operations } from "../operations.ts";
import { parseBody } from "./body.ts";

interface Row {
  readonly route: Route;
  readonly parse: RequestParser<unknown>;
  readonly operation: (request: unknown) => unknown;
}

/** One HTTP endpoint per method and path; rows that share them are told apart by their `selects`. */
export function endpoints(table: Readonly<Record<RouteName, Route>>, operations: Operations): RouteOptions[] {
  const rowsByEndpoint = new Map<string, Row[]>();
  for (const [name, route] of Object.entries(table) as [RouteName, Route][]) {
    const row = { route, parse: requestParser(route.request), operation: operations[name] as Row["operation"] };
    const endpoint = `${route.method} ${route.path}`;
    rowsByEndpoint.set(endpoint, [...(rowsByEndpoint.get(endpoint) ?? []), row]);
  }
  return [...rowsByEndpoint.values()].map(endpointOf);
}

function endpointOf(rows: readonly Row[]): RouteOptions {
  const [first] = rows;
  if (first === undefined) throw new Error("an endpoint without rows");
  const exactNumbers = rows.some(({ route }) => route.exactNumbers === true);
  const read = (request: FastifyRequest) =>
    first.route.method === "GET"
      ? { ok: true as const, value: request.query }
      : parseBody(typeof request.body === "string" ? request.body : "", exactNumbers);
  return {
    method: first.route.method,
    url: first.route.path,
    handler: async (request, reply) => {
      const input = read(request);
      return send(reply, input.ok ? await run(rows, input.value) : refuse("invalidRequest", input.detail));
    },
  };
}

async function run(rows: readonly Row[], input: unknown): Promise<Answer<unknown>> {
  const row = rows.find(({ route }) => route.selects?.(input)) ?? rows.find(({ route }) => route.selects === undefined);
  if (row === undefined) throw toError("no row takes this request");
  const request = row.parse(input);
  if (!request.ok) return refuse(row.route.mismatch, request.detail);
  return (await row.operation(request.value)) as Answer<unknown>;
}

function send(reply: FastifyReply, result: Answer<unknown>): FastifyReply {
  if (result.ok) return reply.send(result.body);
  return reply.code(failures[result.failure].http).send(failureBody(result.failure, result.detail));
}
