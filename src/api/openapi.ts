import { z } from "zod";
import { FailureBody, type FailureName, failures } from "./failures.ts";
import { integersAsText } from "./fields.ts";
import { API_KEY_HEADER, commonFailures, keyFailures, type Route, routes } from "./routes.ts";

type Json = { [key: string]: unknown };

const about =
  "Request fields are accepted in camelCase and in snake_case, and under the aliases `transactions` (sol_transactions), " +
  "`dappUrl` (dapp_url) and `tronTransactions` (tron_transactions); here they stand in their documented spelling. " +
  "Unknown request fields are dropped. Clients decide on `status`, not on the HTTP code.";

/** The interface as an OpenAPI 3.1 document, derived from the routes table. Printed to openapi.json by `npm run docs`. */
export function openApiDocument(version: string): Json {
  const schemas: Json = {};
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of Object.values<Route>(routes)) {
    const path = paths[route.path] ?? {};
    paths[route.path] = path;
    const method = route.method.toLowerCase();
    const known = path[method];
    path[method] = known === undefined ? operationOf(route, schemas) : merged(known, operationOf(route, schemas));
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Weir security and simulation service",
      version,
      description: about,
      license: { name: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ apiKey: [] }],
    paths,
    components: {
      securitySchemes: { apiKey: { type: "apiKey", in: "header", name: API_KEY_HEADER } },
      schemas: { FailureBody: schemaOf(FailureBody, "output", schemas), ...schemas },
    },
  };
}

function operationOf(route: Route, schemas: Json): Json {
  const request = schemaOf(route.request, "input", schemas);
  const name = `${route.method.toLowerCase()}-${route.path.split("/").at(-1)}`;
  return {
    operationId: name,
    summary: route.summary,
    ...(route.method === "GET" ? { parameters: parametersOf(request, schemas) } : { requestBody: jsonBody(request) }),
    responses: {
      200: { description: "success", ...content(schemaOf(route.response, "output", schemas)) },
      ...failureResponses([
        route.mismatch,
        ...route.failures,
        ...commonFailures,
        ...(route.saysMissingKey === true ? [] : keyFailures),
      ]),
    },
  };
}

/** Merges two rows with one method and path: either body, either answer, the failures of both. */
function merged(a: Json, b: Json): Json {
  const [bodyA, bodyB] = [a, b].map((each) => schemaAt(each["requestBody"]));
  const [okA, okB] = [a, b].map((each) => schemaAt(member(each["responses"], "200")));
  return {
    ...a,
    summary: `${a["summary"]}; or: ${b["summary"]}`,
    requestBody: jsonBody({ anyOf: [bodyA, bodyB] }),
    responses: {
      ...Object(a["responses"]),
      ...Object(b["responses"]),
      200: { description: "success", ...content({ anyOf: [okA, okB] }) },
    },
  };
}

/** JSON Schema of `schema`. Named parts go to `schemas` and are referenced. */
function schemaOf(schema: z.ZodType, io: "input" | "output", schemas: Json): Json {
  const printed: Json = z.toJSONSchema(schema, { ...integersAsText, io });
  const {
    $schema: _schema,
    $defs: parts = {},
    ...own
  } = JSON.parse(JSON.stringify(printed).replaceAll("#/$defs/", "#/components/schemas/"));
  Object.assign(schemas, parts);
  if (typeof own.id !== "string") return own;
  schemas[own.id] = own;
  return { $ref: `#/components/schemas/${own.id}` };
}

function parametersOf(request: Json, schemas: Json): Json[] {
  const reference =
    String(request["$ref"] ?? "")
      .split("/")
      .at(-1) ?? "";
  const object = Object(schemas[reference] ?? request);
  const required: readonly string[] = object.required ?? [];
  return Object.entries<Json>(object.properties ?? {}).map(([name, schema]) => ({
    name,
    in: "query",
    required: required.includes(name),
    schema,
  }));
}

function failureResponses(names: readonly FailureName[]): Json {
  const responses: Json = {};
  for (const http of [...new Set(names.map((name) => failures[name].http))]) {
    const statuses = [
      ...new Set(names.filter((name) => failures[name].http === http).map((name) => failures[name].status)),
    ];
    responses[http] = { description: statuses.join("; "), ...content({ $ref: "#/components/schemas/FailureBody" }) };
  }
  return responses;
}

function jsonBody(schema: unknown): Json {
  return { required: true, ...content(schema) };
}

function content(schema: unknown): Json {
  return { content: { "application/json": { schema } } };
}

function schemaAt(holder: unknown): unknown {
  return member(member(member(holder, "content"), "application/json"), "schema");
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}
