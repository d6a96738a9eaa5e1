import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { routes } from "../../../src/api/routes.ts";
import { call, send, service } from "../../support/service.ts";
import { expectContract } from "./expect-contract.ts";
import { anyJson, damagedRequest, names, posts } from "./mutations.ts";

const RUNS = { numRuns: Number(process.env["FC_RUNS"] ?? 200), seed: 20_260_102 };
const app = service();

describe("for any input, the answer keeps to the contract", () => {
  test("any JSON", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...posts), anyJson, async (name, body) => {
        expectContract(await send(app, { url: routes[name].path, body: JSON.stringify(body) }));
      }),
      RUNS,
    );
  });

  test("a damaged valid request", async () => {
    await fc.assert(
      fc.asyncProperty(damagedRequest, async ({ name, request }) => {
        expectContract(await call(app, name, request));
      }),
      RUNS,
    );
  });

  test("any bytes", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...posts),
        fc.uint8Array({ minLength: 1, maxLength: 300 }),
        async (name, bytes) => {
          expectContract(await send(app, { url: routes[name].path, body: Buffer.from(bytes) }));
        },
      ),
      RUNS,
    );
  });

  test("text that is almost JSON", async () => {
    const almost = fc
      .tuple(damagedRequest, fc.nat(), fc.nat(), fc.string({ unit: "binary", maxLength: 3 }))
      .map(([{ name, request }, at, cut, put]) => {
        const text = JSON.stringify(request);
        const start = at % (text.length + 1);
        return { name, body: text.slice(0, start) + put + text.slice(start + (cut % 4)) };
      });
    await fc.assert(
      fc.asyncProperty(almost, async ({ name, body }) => {
        if (routes[name].method === "POST") expectContract(await send(app, { url: routes[name].path, body }));
      }),
      RUNS,
    );
  });

  test("any Content-Type", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...posts), fc.string({ maxLength: 40 }), async (name, type) => {
        expectContract(await send(app, { url: routes[name].path, type, body: "{}" }));
        expectContract(await send(app, { url: routes[name].path, type: `application/json${type}`, body: "{}" }));
      }),
      RUNS,
    );
  });

  test("any query string", async () => {
    const piece = fc.oneof(
      fc.constantFrom("chain_id", "chainId", "address", "user_address", "strict", "1", "=", "&", "%", "%zz", "[]", "."),
      fc.constantFrom("__proto__", "constructor", "chain_id[__proto__]", "%00", "+", "%E0%A4", ";", "//"),
      fc.webQueryParameters(),
      fc.string({ maxLength: 10 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.array(piece, { maxLength: 12 }), async (name, pieces) => {
        const url = `${routes[name].path}?${pieces.join("")}`;

        expectContract(await send(app, { method: "GET", url }));
      }),
      RUNS,
    );
  });

  test("any path", async () => {
    await fc.assert(
      fc.asyncProperty(fc.webPath(), fc.constantFrom("GET", "POST", "PUT", "DELETE"), async (path, method) => {
        expectContract(await send(app, { method, url: `/v2/svc${path}` }));
      }),
      RUNS,
    );
  });

  test("any key", async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.string(), async (name, key) => {
        const answered = await send(app, { method: routes[name].method, url: routes[name].path, key });

        const missing = { code: "401", status: "Missing API key", detail: "Missing API key" };
        expect(answered).toMatchObject({ http: 401, body: { code: "401" } });
        if (name === "solanaEmulate" || key.trim() === "") expect(answered.body).toEqual(missing);
        else expect(answered.body).toMatchObject({ status: expect.stringMatching(/^(Malformed|Unknown) API key$/) });
      }),
      RUNS,
    );
  });
});
