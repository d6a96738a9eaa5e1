/** The printed documents equal the code, and real requests and answers fit them. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { failureBody, failures } from "../../src/api/failures.ts";
import { commonFailures, type Route, type RouteName, routes } from "../../src/api/routes.ts";
import { printedDocs } from "../../src/cli/config/docs/printed-docs.ts";
import { call, evm, service } from "../support/service.ts";
import { answers, furtherAnswers, type Json, requests } from "./samples.ts";

const root = path.resolve(import.meta.dirname, "../..");
const printed = printedDocs((file) => readFileSync(path.join(root, file), "utf8"));
const document = JSON.parse(printed.get("openapi.json") ?? "");
const names = Object.keys(routes) as RouteName[];
const operationOf = (name: RouteName) => document.paths[routes[name].path][routes[name].method.toLowerCase()];

test.each([...printed.keys()])("%s is what `npm run docs` prints", (file) => {
  const checkedIn = readFileSync(path.join(root, file), "utf8");

  expect(checkedIn === printed.get(file), `${file} is stale: run \`npm run docs\``).toBe(true);
});

test("the printed documents are the expected ones", () => {
  expect([...printed.keys()].sort()).toEqual([
    "deploy/weir.env.example",
    "docs/configuration.md",
    "docs/schemas/config.schema.json",
    "docs/schemas/dialect.schema.json",
    "docs/schemas/event.schema.json",
    "docs/schemas/policy.schema.json",
    "docs/schemas/verdict.avsc",
    "docs/schemas/verdict.schema.json",
    "docs/verdicts.md",
    "openapi.json",
  ]);
});

describe("openapi.json", () => {
  test("the document is valid OpenAPI 3.1", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));

    expect(errors).toBeUndefined();
    expect(valid).toBe(true);
    expect(document.openapi).toBe("3.1.0");
  });

  test("every operation requires the key in X-API-KEY", () => {
    expect(document.components.securitySchemes.apiKey).toEqual({ type: "apiKey", in: "header", name: "X-API-KEY" });
    expect(document.security).toEqual([{ apiKey: [] }]);
  });

  test("each method and path of the table has one operation with its own id", () => {
    const operations = Object.entries<object>(document.paths).flatMap(([at, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({
        at: `${method.toUpperCase()} ${at}`,
        operationId,
      })),
    );

    expect(operations.map(({ at }) => at).sort()).toEqual(
      [...new Set(names.map((name) => `${routes[name].method} ${routes[name].path}`))].sort(),
    );
    expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  });

  test("the document refers only to schemas that it holds", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]*)"/g)].map(([, target]) => target);

    expect(references.length).toBeGreaterThan(20);
    for (const target of references) {
      const [, name = ""] = target?.match(/^#\/components\/schemas\/(\w+)$/) ?? [];
      expect(Object.keys(document.components.schemas), target).toContain(name);
    }
  });
});

describe.each(names)("%s in openapi.json", (name) => {
  const route: Route = routes[name];

  test("every documented status has a schema", () => {
    const expected = [
      200,
      ...[route.mismatch, ...route.failures, ...commonFailures].map((each) => failures[each].http),
    ];

    for (const http of expected) {
      expect(operationOf(name).responses[http]?.content["application/json"].schema, String(http)).toBeDefined();
    }
  });

  test("each HTTP status names all of its status texts", () => {
    for (const failure of [...route.failures, ...commonFailures]) {
      const { http, status } = failures[failure];
      expect(operationOf(name).responses[http].description).toContain(status);
    }
  });

  test("the sample request fits", () => {
    if (route.method === "GET") {
      const parameters: { name: string; in: string; required: boolean }[] = operationOf(name).parameters;
      expect(parameters.map((each) => each.name)).toEqual(Object.keys(requests[name]));
      expect(parameters.every((each) => each.in === "query")).toBe(true);
      expect(parameters.filter((each) => each.required).map((each) => each.name)).toEqual(["chain_id", "address"]);
    } else {
      expect(fits(operationOf(name).requestBody.content["application/json"].schema, requests[name])).toEqual([]);
    }
  });

  test("the sample answer fits, and an incomplete one does not", () => {
    const schema = operationOf(name).responses[200].content["application/json"].schema;

    expect(fits(schema, answers[name])).toEqual([]);
    expect(fits(schema, { ...answers[name], data: {} })).not.toEqual([]);
    expect(fits(schema, { ...answers[name], code: 0 })).not.toEqual([]);
  });
});

test.each(furtherAnswers)("%s fits the schema of %s", (_what, name, further) => {
  expect(fits(operationOf(name).responses[200].content["application/json"].schema, further)).toEqual([]);
});

test.each(Object.keys(failures) as (keyof typeof failures)[])("the body of %s fits the printed schema", (name) => {
  expect(fits(document.components.schemas.FailureBody, failureBody(name, "detail"))).toEqual([]);
});

describe("real answers of the service fit the printed schema", () => {
  const app = service();

  test.each<[RouteName, Json]>([
    ["poisoningSingle", { chain_id: 1, address: evm.fake, user_address: evm.real }],
    ["poisoningQuery", { chain_id: "1", address: evm.exchangeFake, token_address: evm.tokenFake }],
    [
      "poisoningBatch",
      { user_addresses: [{ chain_id: "1", address: evm.real }], token_addresses: [{ chain_id: "x", address: "" }] },
    ],
    ["poisoningSingle", {}],
    ["classifyQuery", { chain_id: "1", address: evm.real }],
    ["transactionSecurity", {}],
  ])("the answer of %s to %j fits its schema", async (name, fields) => {
    const { http, body } = await call(app, name, fields);

    expect(fits(operationOf(name).responses[http].content["application/json"].schema, body)).toEqual([]);
  });
});

/** The violations of a schema of the document by `value`. Empty when `value` fits. */
function fits(schema: object, value: unknown): readonly string[] {
  const $defs = document.components.schemas;
  const own = JSON.parse(JSON.stringify({ ...schema, $defs }).replaceAll("#/components/schemas/", "#/$defs/"));
  const parsed = z.fromJSONSchema(own).safeParse(value);
  return parsed.success ? [] : parsed.error.issues.map(({ path: at, message }) => `${at.join(".")}: ${message}`);
}
