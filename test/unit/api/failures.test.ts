import { expect, test } from "vitest";
import {
  FailureBody,
  type FailureName,
  failureBody,
  failures,
  ItemError,
  unsupportedChainDetail,
} from "../../../src/api/failures.ts";

const names = Object.keys(failures) as FailureName[];

test("the table matches the interface", () => {
  expect(names.map((name) => [name, ...Object.values(failures[name])])).toEqual([
    ["invalidRequest", 400, "-1", "invalid request"],
    ["unsupportedChain", 400, "-1", "unsupported chain"],
    ["invalidAddress", 400, "-1", "invalid address"],
    ["missingApiKey", 401, "401", "Missing API key"],
    ["malformedApiKey", 401, "401", "Malformed API key"],
    ["unknownApiKey", 401, "401", "Unknown API key"],
    ["notFound", 404, "-1", "not found"],
    ["bodyTooLarge", 413, "-1", "invalid request"],
    ["schemaMismatch", 422, "-1", "invalid request"],
    ["rateLimited", 429, "429", "error"],
    ["internal", 500, "-2", "internal server error"],
    ["badGateway", 502, "-2", "bad gateway"],
    ["gatewayTimeout", 504, "-2", "gateway timeout"],
  ]);
});

test.each(names.filter((name) => name !== "rateLimited"))(
  "%s explains itself, with its status when there is no detail",
  (name) => {
    const { code, status } = failures[name];

    expect(failureBody(name, "why")).toEqual({ code, status, detail: "why" });
    expect(failureBody(name)).toEqual({ code, status, detail: status });
  },
);

test("a 429 has a fixed message in place of the detail", () => {
  expect(failureBody("rateLimited", "why")).toEqual({ code: "429", status: "error", message: "Rate limit exceeded" });
});

test.each(names)("the body of %s fits the schema", (name) => {
  expect(FailureBody.parse(failureBody(name, "why"))).toEqual(failureBody(name, "why"));
});

test.each(["1", "nowhere", "", "<script>"])("an unsupported chain %j is named as it was sent", (chainId) => {
  expect(unsupportedChainDetail(chainId)).toBe(`unsupported chainId: ${chainId}`);
});

test.each([
  [{ code: "unsupported_chain", detail: "x" }, true],
  [{ code: "something_new", detail: "x" }, true],
  [{ code: "invalid_address" }, false],
  [{ code: 1, detail: "x" }, false],
])("with %j as the error of an item: %j", (error, fits) => {
  expect(ItemError.safeParse(error).success).toBe(fits);
});
