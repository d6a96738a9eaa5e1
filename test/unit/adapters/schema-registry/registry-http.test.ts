import { lookup } from "node:dns";
import { describe, expect, onTestFinished, test } from "vitest";
import { RegistryClient } from "../../../../src/adapters/schema-registry/registry-client.ts";
import { RegistryHttp, type RegistryLogin } from "../../../../src/adapters/schema-registry/registry-http.ts";
import { Secret } from "../../../../src/kernel/secret.ts";
import { answering, deadUrl, listen, type Received, sendJson } from "../../../support/http-server.ts";

const never = new AbortController().signal;

function opened(baseUrl: string, login?: RegistryLogin, timeoutMs = 2_000) {
  const http = new RegistryHttp({ baseUrl, lookup, timeoutMs, ...(login === undefined ? {} : { login }) });
  onTestFinished(() => http.close());
  return http;
}

/** A registry that answers each path with a body, and any other with 404. */
async function registryOf(answers: Readonly<Record<string, unknown>>, received: Received[] = []): Promise<string> {
  return listen(
    answering(({ url }, response) => {
      const answer = answers[url];
      if (answer === undefined) sendJson(response, 404, { error_code: 40403, message: "Schema not found" });
      else if (typeof answer === "string") response.writeHead(200, { "content-type": "application/json" }).end(answer);
      else sendJson(response, 200, answer, { "content-type": "application/vnd.schemaregistry.v1+json" });
    }, received),
  );
}

const confluent = (baseUrl: string) => new RegistryClient(opened(baseUrl), "confluent", baseUrl);

describe("Confluent's interface", () => {
  test("a schema comes with the schemas that it uses, those first that the others need", async () => {
    const received: Received[] = [];
    const url = await registryOf(
      {
        "/schemas/ids/5": {
          schema: '"a.B"',
          references: [
            { name: "a.B", subject: "b/x", version: 2 },
            { name: "a.C", subject: "c", version: 1 },
          ],
        },
        "/subjects/b%2Fx/versions/2?deleted=true": {
          schema: "b",
          references: [{ name: "a.C", subject: "c", version: 1 }],
        },
        "/subjects/c/versions/1?deleted=true": { schema: "c" },
      },
      received,
    );

    expect(await confluent(url).schema({ by: "ids", id: "5" }, never)).toEqual({
      type: "AVRO",
      text: '"a.B"',
      references: [
        { name: "a.C", text: "c" },
        { name: "a.B", text: "b" },
      ],
    });
    expect(received).toHaveLength(3);
  });

  test("a schema that uses itself ends, and so does one that uses too many", async () => {
    const circle = { schema: "x", references: [{ name: "x", subject: "x", version: 1 }] };
    const url = await registryOf({ "/schemas/ids/5": circle, "/subjects/x/versions/1?deleted=true": circle });
    expect((await confluent(url).schema({ by: "ids", id: "5" }, never)).references).toHaveLength(1);

    const many = Array.from({ length: 65 }, (_, i) => ({ name: `n${i}`, subject: `s${i}`, version: 1 }));
    const all = Object.fromEntries(many.map((_, i) => [`/subjects/s${i}/versions/1?deleted=true`, { schema: "s" }]));
    const wide = await registryOf({ "/schemas/ids/5": { schema: "x", references: many }, ...all });
    await expect(confluent(wide).schema({ by: "ids", id: "5" }, never)).rejects.toThrow("more than 64 other schemas");
  });

  test.each([
    ["a missing schema", {}, "is not in the registry"],
    [
      "a missing reference",
      { "/schemas/ids/5": { schema: "x", references: [{ name: "y", subject: "y", version: 1 }] } },
      "uses y, which is not in the registry",
    ],
    ["another type", { "/schemas/ids/5": { schema: "x", schemaType: "XML" } }, "has the type XML"],
    ["10 MB", { "/schemas/ids/5": { schema: "x".repeat(10_000_000) } }, "takes more than 1048576 bytes"],
  ])("%s is a fault of the schema", async (_, answers, message) => {
    const client = confluent(await registryOf(answers));
    await expect(client.schema({ by: "ids", id: "5" }, never)).rejects.toMatchObject({
      name: "UndecodableError",
      message: expect.stringContaining(message),
    });
  });
});

describe("Apicurio's interface", () => {
  const proto = 'syntax = "proto3"; import "c.proto"; message A { C c = 1; }';
  const references = [{ name: "c.proto", artifactId: "c x", version: "1" }];

  test.each([
    ["/apis/registry/v2", ""],
    ["/apis/registry/v3", "/content"],
  ])("%s: a schema comes as it is, and its type is recognized", async (base, content) => {
    const url = await registryOf({
      [`${base}/ids/globalIds/5`]: proto,
      [`${base}/ids/globalIds/5/references`]: references,
      [`${base}/groups/default/artifacts/c%20x/versions/1${content}`]: "message C {}",
      [`${base}/groups/default/artifacts/c%20x/versions/1/references`]: [],
      [`${base}/ids/contentIds/6`]: '{"type":"record","name":"R","fields":[]}',
      [`${base}/ids/contentIds/6/references`]: [],
      [`${base}/ids/contentIds/7`]: '{"type":"object"}',
      [`${base}/ids/contentIds/7/references`]: [],
    });
    const client = new RegistryClient(opened(`${url}${base}`), "apicurio", `${url}${base}`);

    expect(await client.schema({ by: "globalIds", id: "5" }, never)).toEqual({
      type: "PROTOBUF",
      text: proto,
      references: [{ name: "c.proto", text: "message C {}" }],
    });
    expect((await client.schema({ by: "contentIds", id: "6" }, never)).type).toBe("AVRO");
    expect((await client.schema({ by: "contentIds", id: "7" }, never)).type).toBe("JSON");
  });

  test("a missing schema is one that its own errors name", async () => {
    const lacking = async (name: string) => {
      const url = await listen(
        answering((_, response) => sendJson(response, 404, { error_code: 404, name, message: "No artifact" })),
      );
      return new RegistryClient(opened(url), "apicurio", url).schema({ by: "globalIds", id: "5" }, never);
    };
    await expect(lacking("ArtifactNotFoundException")).rejects.toMatchObject({ name: "UndecodableError" });
    await expect(lacking("NotFoundException")).rejects.toMatchObject({ name: "UnavailableError" });
  });
});

describe("an answer that says nothing of the schema", () => {
  test.each<[string, number, unknown, string]>([
    ["a 404 of a wrong URL", 404, { message: "HTTP 404 Not Found" }, "UnavailableError"],
    ["a 404 of a proxy", 404, "not found", "UnavailableError"],
    ["a 500", 500, { error_code: 50001 }, "UnavailableError"],
    ["a 429", 429, {}, "UnavailableError"],
    ["a redirect", 302, {}, "UnavailableError"],
    ["a 401", 401, {}, "UnauthorizedError"],
    ["a 403", 403, {}, "UnauthorizedError"],
    ["an answer without a schema", 200, { id: 5 }, "UnreadableError"],
  ])("%s", async (_, status, body, name) => {
    const url = await listen(answering((__, response) => sendJson(response, status, body)));
    await expect(confluent(url).schema({ by: "ids", id: "5" }, never)).rejects.toMatchObject({ name });
  });

  test("a page in place of JSON, no server, and no answer in time", async () => {
    const page = await listen(
      answering((_, response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>")),
    );
    await expect(confluent(page).schema({ by: "ids", id: "5" }, never)).rejects.toMatchObject({
      name: "UnreadableError",
    });
    const dead = await deadUrl();
    await expect(confluent(dead).schema({ by: "ids", id: "5" }, never)).rejects.toMatchObject({
      name: "UnavailableError",
    });
    const silent = await listen(() => undefined);
    const client = new RegistryClient(opened(silent, undefined, 200), "confluent", silent);
    await expect(client.schema({ by: "ids", id: "5" }, never)).rejects.toThrow(/no answer/);
  });
});

describe("the login", () => {
  const received: Received[] = [];
  const answers = { "/schemas/ids/5": { schema: '"int"' } };
  const fixed = (text: string) => ({ current: () => new Secret(text), reload: async () => false });

  test("is sent as a user name and a password, or as a token", async () => {
    const url = await registryOf(answers, received);
    await opened(url, { kind: "basic", user: "weir", password: fixed("pä:ss") }).json("/schemas/ids/5", never);
    await opened(url, { kind: "bearer", token: fixed("t0ken") }).json("/schemas/ids/5", never);
    await opened(url).json("/schemas/ids/5", never);

    expect(received.map(({ headers }) => headers.authorization)).toEqual([
      `Basic ${Buffer.from("weir:pä:ss").toString("base64")}`,
      "Bearer t0ken",
      undefined,
    ]);
  });

  test("is read again when it is refused, and a new one is tried before it counts as refused", async () => {
    let password = "old";
    const url = await listen(
      answering(({ headers }, response) => {
        const isNew = headers.authorization === `Basic ${Buffer.from("weir:new").toString("base64")}`;
        sendJson(response, isNew ? 200 : 401, { schema: '"int"' });
      }),
    );
    let current = password;
    const source = {
      current: () => new Secret(current),
      reload: async () => {
        const changed = current !== password;
        current = password;
        return changed;
      },
    };
    const http = opened(url, { kind: "basic", user: "weir", password: source });
    await expect(http.json("/schemas/ids/5", never)).rejects.toMatchObject({ name: "UnauthorizedError" });
    password = "new";
    await expect(http.json("/schemas/ids/5", never)).rejects.toMatchObject({ name: "KeyReplacedError" });
    expect(await http.json("/schemas/ids/5", never)).toEqual({ schema: '"int"' });
  });
});
