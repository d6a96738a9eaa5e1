import type { IncomingHttpHeaders } from "node:http";
import type { JsonResponse } from "../../src/adapters/http/client/json-server.ts";
import { readJson } from "../../src/adapters/http/client/read-body.ts";
import { answerOf, noAnswer } from "../../src/adapters/http/service/service-answer.ts";
import type { ResponseOf, RouteName } from "../../src/api/routes.ts";
import { AppError } from "../../src/kernel/errors.ts";

/** A response on the wire. */
export interface Wire {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: readonly Buffer[];
  /** Whether the connection ends before the body does. */
  readonly isCut?: true;
}

export function jsonWire(status: number, value: unknown, headers: IncomingHttpHeaders = {}): Wire {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: [Buffer.from(JSON.stringify(value))],
  };
}

/** Reads a response with the functions of the worker's client, without the socket. */
export async function readWire<N extends RouteName>(
  route: N,
  response: () => Wire,
  { now, key }: { readonly now: () => number; readonly key: string },
): Promise<ResponseOf<N>> {
  try {
    return await answerOf(route, received(response()), { now }, key);
  } catch (thrown) {
    throw thrown instanceof AppError ? thrown : noAnswer(thrown);
  }
}

function received(wire: Wire): JsonResponse {
  const { status, headers } = wire;
  return { status, headers, json: (options) => readJson(chunksOf(wire), headers, options) };
}

async function* chunksOf({ body, isCut }: Wire): AsyncGenerator<Buffer> {
  for (const chunk of body) yield chunk;
  if (isCut) throw new Error("other side closed");
}
