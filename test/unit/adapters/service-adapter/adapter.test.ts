import { expect, test } from "vitest";
import { readAdapter } from "../../../../src/adapters/service-adapter/adapter.ts";

const operation = { request: () => ({}), answer: () => ({}) };
const whole = { schema: "weir.adapter/1", name: "vendor", operations: { "address-poisoning": operation } };

test("an adapter is read", () => {
  const refusal = () => undefined;
  expect(readAdapter(whole)).toEqual({
    ok: true,
    value: { name: "vendor", operations: whole.operations, refusal: undefined },
  });
  expect(readAdapter({ ...whole, refusal })).toMatchObject({ ok: true, value: { refusal } });
});

test.each([
  [undefined, "the function adapter must return an object"],
  [[], "the function adapter must return an object"],
  [{ ...whole, ask: () => ({}) }, "ask: is unknown; known are schema, name, operations, refusal"],
  [{ ...whole, schema: "weir.adapter/2" }, 'schema: must be "weir.adapter/1"'],
  [{ ...whole, name: "" }, "name: must be 1 to 50"],
  [{ ...whole, name: "a\nb" }, "name: must be 1 to 50"],
  [{ ...whole, refusal: {} }, "refusal: must be a function"],
  [{ ...whole, operations: undefined }, "operations: must be an object"],
  [{ ...whole, operations: {} }, "operations: must have address-poisoning, which every event needs"],
  [
    { ...whole, operations: { ...whole.operations, poisoning: operation } },
    "operations.poisoning: is unknown; known are address-poisoning, address-poisoning-batch, token-security",
  ],
  [
    { ...whole, operations: { "address-poisoning": () => ({}) } },
    "operations.address-poisoning: must be an object with the functions request and answer",
  ],
  [
    { ...whole, operations: { "address-poisoning": { request: () => ({}) } } },
    "operations.address-poisoning.answer: must be a function",
  ],
  [
    { ...whole, operations: { "address-poisoning": { ...operation, failure: () => ({}) } } },
    "operations.address-poisoning.failure: is unknown; known are request and answer",
  ],
])("%o is refused: %s", (value, detail) => {
  expect(readAdapter(value)).toEqual({ ok: false, detail: expect.stringContaining(detail) });
});
