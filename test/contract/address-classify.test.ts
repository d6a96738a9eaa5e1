/** Source: service-interface, "Address classification" and "Errors" (address-classify rows). */
import { describe, expect, test } from "vitest";
import { ClassifyResponse } from "../../src/api/schemas/address-classify.ts";
import { call, evm, mismatchOf, send, service, solana } from "../support/service.ts";
import { received } from "./recorded.ts";
import { answers } from "./samples.ts";

const app = service();
const subject = { chain_id: "1", address: evm.token };

describe.each(["classifyQuery", "classifyBody"] as const)("%s", (name) => {
  test.each(["nowhere", "solana", "tron", "bitcoin", ""])("on %j is an unsupported chain", async (chain_id) => {
    expect(await call(app, name, { chain_id, address: evm.token })).toMatchObject({
      http: 400,
      body: { code: "-1", status: "unsupported chain", detail: `unsupported chainId: ${chain_id}` },
    });
  });

  test.each([
    ["", "address: empty address"],
    ["0x12", "address: must have 40 hex digits after 0x, has 2"],
    [solana.real, "address: must start with 0x"],
  ])("about %j is an invalid address", async (address, detail) => {
    expect(await call(app, name, { chain_id: "1", address })).toMatchObject({
      http: 400,
      body: { code: "-1", status: "invalid address", detail },
    });
  });

  test.each(["chain_id", "address"])("lacks %s", async (field) => {
    expect(await call(app, name, omitted(field))).toMatchObject(mismatchOf(name, `${field}: field required`));
  });
});

describe("strict in the query", () => {
  test.each(["true", "True", "TRUE", "1", "false", "False", "FALSE", "0"])("may be %s", async (strict) => {
    expect(await received("classifyQuery", { ...subject, strict })).toEqual({
      ...subject,
      strict: strict.toLowerCase(),
    });
  });

  test("may be left out", async () => {
    expect(await received("classifyQuery", subject)).toEqual(subject);
  });

  test.each(["yes", "2", "", "null", "truee", " true"])("is refused as %j", async (strict) => {
    expect(await call(app, "classifyQuery", { ...subject, strict })).toMatchObject(
      mismatchOf("classifyQuery", "strict: must be true or false"),
    );
  });

  test("is refused when it is given twice", async () => {
    expect(await call(app, "classifyQuery", { ...subject, strict: ["true", "false"] })).toMatchObject(
      mismatchOf("classifyQuery", "strict: must be a string"),
    );
  });

  test("does not excuse a repeated address", async () => {
    expect(await call(app, "classifyQuery", { ...subject, address: [evm.token, evm.real] })).toMatchObject(
      mismatchOf("classifyQuery", "address: must be a string"),
    );
  });
});

describe("strict in the body", () => {
  test.each([true, false])("may be %j", async (strict) => {
    expect(await received("classifyBody", { ...subject, strict })).toEqual({ ...subject, strict });
  });

  test("is false when it is left out", async () => {
    expect(await received("classifyBody", subject)).toEqual({ ...subject, strict: false });
  });

  test("is false when it is null", async () => {
    expect(await received("classifyBody", { ...subject, strict: null })).toEqual({ ...subject, strict: false });
  });

  test.each(["true", 1, []])("is refused as %j", async (strict) => {
    expect(await call(app, "classifyBody", { ...subject, strict })).toMatchObject(
      mismatchOf("classifyBody", "strict: must be a boolean"),
    );
  });
});

test("a chain id that is a number is refused: only the poisoning endpoints take one", async () => {
  expect(await call(app, "classifyBody", { ...subject, chain_id: 1 })).toMatchObject(
    mismatchOf("classifyBody", "chain_id: must be a string"),
  );
});

test("GET without a query lacks its fields", async () => {
  expect(await send(app, { method: "GET", url: "/v2/svc/address-classify" })).toMatchObject(
    mismatchOf("classifyQuery", "chain_id: field required"),
  );
});

describe("the answer", () => {
  const data = Object(answers.classifyQuery["data"]);

  test.each(Object.keys(data))("lacks no %s", (field) => {
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
  ])("has no %s %j", (field, value) => {
    const answer = { code: "0", status: "ok", data: { ...data, [field]: value } };

    expect(ClassifyResponse.safeParse(answer).success).toBe(false);
  });

  test("notok needs no data, and ok does", () => {
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
