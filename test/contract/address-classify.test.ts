/**
 * The sections "Address classification" and "Errors" (address-classify rows) of the service's interface. Source:
 * docs/decisions/0001-open-points.md, which lists the open points of the interface.
 */
import { describe, expect, test } from "vitest";
import { ClassifyResponse } from "../../src/api/schemas/address-classify.ts";
import { call, evm, mismatchOf, send, service, solana } from "../support/service.ts";
import { received } from "./recorded.ts";
import { answers } from "./samples.ts";

const app = service();
const subject = { chain_id: "1", address: evm.token };

describe.each(["classifyQuery", "classifyBody"] as const)("the request %s", (name) => {
  test.each(["nowhere", "solana", "tron", "bitcoin", ""])("chain %j is unsupported", async (chain_id) => {
    expect(await call(app, name, { chain_id, address: evm.token })).toMatchObject({
      http: 400,
      body: { code: "-1", status: "unsupported chain", detail: `unsupported chainId: ${chain_id}` },
    });
  });

  test.each([
    ["", "address: empty address"],
    ["0x12", "address: must have 40 hex digits after 0x, has 2"],
    [solana.real, "address: must start with 0x"],
  ])("the address %j is invalid", async (address, detail) => {
    expect(await call(app, name, { chain_id: "1", address })).toMatchObject({
      http: 400,
      body: { code: "-1", status: "invalid address", detail },
    });
  });

  test.each(["chain_id", "address"])("a request without %s is refused", async (field) => {
    expect(await call(app, name, omitted(field))).toMatchObject(mismatchOf(name, `${field}: field required`));
  });
});

describe("strict in the query", () => {
  test.each(["true", "True", "TRUE", "1", "false", "False", "FALSE", "0"])("strict may be %s", async (strict) => {
    expect(await received("classifyQuery", { ...subject, strict })).toEqual({
      ...subject,
      strict: strict.toLowerCase(),
    });
  });

  test("strict may be left out of the query", async () => {
    expect(await received("classifyQuery", subject)).toEqual(subject);
  });

  test.each(["yes", "2", "", "null", "truee", " true"])("strict is refused as the text %j", async (strict) => {
    expect(await call(app, "classifyQuery", { ...subject, strict })).toMatchObject(
      mismatchOf("classifyQuery", "strict: must be true or false"),
    );
  });

  test("strict is refused when it is given twice", async () => {
    expect(await call(app, "classifyQuery", { ...subject, strict: ["true", "false"] })).toMatchObject(
      mismatchOf("classifyQuery", "strict: must be a string"),
    );
  });

  test("strict does not excuse a repeated address", async () => {
    expect(await call(app, "classifyQuery", { ...subject, address: [evm.token, evm.real] })).toMatchObject(
      mismatchOf("classifyQuery", "address: must be a string"),
    );
  });
});

describe("strict in the body", () => {
  test.each([true, false])("strict may be the JSON value %j", async (strict) => {
    expect(await received("classifyBody", { ...subject, strict })).toEqual({ ...subject, strict });
  });

  test("strict is false when it is left out", async () => {
    expect(await received("classifyBody", subject)).toEqual({ ...subject, strict: false });
  });

  test("strict is false when it is null", async () => {
    expect(await received("classifyBody", { ...subject, strict: null })).toEqual({ ...subject, strict: false });
  });

  test.each(["true", 1, []])("strict is refused as the JSON value %j", async (strict) => {
    expect(await call(app, "classifyBody", { ...subject, strict })).toMatchObject(
      mismatchOf("classifyBody", "strict: must be a boolean"),
    );
  });
});

test("a chain id that is a number is refused, because only the poisoning endpoints accept one", async () => {
  expect(await call(app, "classifyBody", { ...subject, chain_id: 1 })).toMatchObject(
    mismatchOf("classifyBody", "chain_id: must be a string"),
  );
});

test("GET without a query is refused for its missing fields", async () => {
  expect(await send(app, { method: "GET", url: "/v2/svc/address-classify" })).toMatchObject(
    mismatchOf("classifyQuery", "chain_id: field required"),
  );
});

describe("the answer", () => {
  const data = Object(answers.classifyQuery["data"]);

  test.each(Object.keys(data))("an answer without %s does not fit the schema", (field) => {
    const { [field]: _left, ...rest } = data;

    expect(ClassifyResponse.safeParse({ code: "0", status: "ok", data: rest }).success).toBe(false);
  });

  test.each([
    ["details", { ...data.details, is_verified: "1" }],
    ["details", { ...data.details, proxy_impl_address: null }],
    ["classification_id", "20"],
    ["status", "1"],
    ["is_erc20", true],
    ["scanned_time", "2026-01-01"],
  ])("an answer with %s %j does not fit the schema", (field, value) => {
    const answer = { code: "0", status: "ok", data: { ...data, [field]: value } };

    expect(ClassifyResponse.safeParse(answer).success).toBe(false);
  });

  test("notok needs no data, and ok needs data", () => {
    const parses = ["notok", "ok", "in progress"].map(
      (status) => ClassifyResponse.safeParse({ code: "0", status }).success,
    );

    expect(parses).toEqual([true, false, false]);
  });
});

/** The subject without one field. */
function omitted(field: string): object {
  return Object.fromEntries(Object.entries(subject).filter(([name]) => name !== field));
}
