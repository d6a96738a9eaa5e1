import { expect, test } from "vitest";
import type { RouteName } from "../../../../src/api/routes.ts";
import { answer } from "../../../../src/service/answer.ts";
import { answers, requests } from "../../../contract/samples.ts";
import { call, operationsThat, send, service } from "../../../support/service.ts";

function watched() {
  const heard: (readonly [RouteName, number])[] = [];
  const operations = operationsThat((_request, by) => answer(answers[by]));
  const observer = { answered: (operation: RouteName, status: number) => heard.push([operation, status]) };
  return { app: service({ operations, observer }), heard };
}

test.each(Object.keys(requests) as RouteName[])(
  "an answer to %s is counted for that operation, even if others share its path",
  async (name) => {
    const { app, heard } = watched();

    await call(app, name, requests[name]);

    expect(heard).toEqual([[name, 200]]);
  },
);

test("an unreadable body is counted for the first operation of its path", async () => {
  const { app, heard } = watched();

  await send(app, { url: "/v2/svc/address-poisoning", body: "{" });

  expect(heard).toEqual([["poisoningBatch", 400]]);
});
