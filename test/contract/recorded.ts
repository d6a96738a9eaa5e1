import { expect } from "vitest";
import { type RouteName, routes } from "../../src/api/routes.ts";
import { answer } from "../../src/service/answer.ts";
import { type Answered, call, operationsThat, service } from "../support/service.ts";
import { answers } from "./samples.ts";

/** The request that reached the operation. */
export interface Recorded {
  readonly name: RouteName;
  readonly request: unknown;
}

/**
 * Calls a row with an operation that records its request and answers with the sample. Undefined when no request reached
 * it.
 */
export async function recordedCall(
  name: RouteName,
  fields: unknown,
): Promise<{ readonly answered: Answered; readonly reached: Recorded | undefined }> {
  let reached: Recorded | undefined;
  const operations = operationsThat((request, by) => {
    reached = { name: by, request };
    return answer(answers[by]);
  });
  return { answered: await call(service({ operations }), name, fields), reached };
}

/** The request as the operation gets it. Fails when the request is refused. */
export async function received(name: RouteName, fields: unknown): Promise<unknown> {
  const { answered, reached } = await recordedCall(name, fields);
  expect(answered.body).toEqual(answers[reached?.name ?? name]);
  expect(routes[reached?.name ?? name].path).toBe(routes[name].path);
  return reached?.request;
}
