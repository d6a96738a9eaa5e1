import { expect, test } from "vitest";
import { readEnv } from "../../../../src/cli/config/config.ts";
import { RegistryEnv } from "../../../../src/cli/config/env/registry-env.ts";
import { registrySettings } from "../../../../src/cli/config/registry-settings.ts";
import { checkRegistry } from "../../../../src/cli/doctor/check-registry.ts";
import { answering, deadUrl, listen, sendJson } from "../../../support/http-server.ts";

const never = new AbortController().signal;
const looked = async (url: string, env: Readonly<Record<string, string>> = {}) =>
  checkRegistry(await registrySettings(readEnv(RegistryEnv, { SCHEMA_REGISTRY_URL: url, ...env })), never);
const login = { SCHEMA_REGISTRY_USER: "weir", SCHEMA_REGISTRY_PASSWORD: "hunter2" };

test("without a registry there is nothing to check", async () => {
  expect(await checkRegistry(await registrySettings(readEnv(RegistryEnv, {})), never)).toEqual([]);
});

test.each([
  ["a schema", 200, { schema: '"int"' }],
  ["no such schema", 404, { error_code: 40403 }],
])("a registry that answers with %s is well", async (_, status, body) => {
  const url = await listen(answering((__, response) => sendJson(response, status, body)));

  expect(await looked(url)).toEqual([{ check: "schema registry", ok: true, detail: "answers", remedy: "" }]);
  expect(await looked(url, login)).toMatchObject([{ ok: true, detail: "answers, and takes the login" }]);
});

test.each([
  ["refuses the login", 401, {}, "answered 401", /SCHEMA_REGISTRY_USER/],
  ["is another server", 404, { message: "no route" }, "answered 404", /SCHEMA_REGISTRY_URL is the base/],
  ["has a fault", 500, { error_code: 50001 }, "answered 500", /see that the registry runs/],
])("a registry that %s fails the check, and no secret is shown", async (_, status, body, detail, remedy) => {
  const url = await listen(answering((__, response) => sendJson(response, status, body)));
  const checks = await looked(url, login);

  expect(checks).toMatchObject([{ ok: false, detail, remedy: expect.stringMatching(remedy) }]);
  expect(JSON.stringify(checks)).not.toContain("hunter2");
});

test("a registry that is not there fails the check", async () => {
  expect(await looked(await deadUrl())).toMatchObject([{ ok: false, detail: expect.stringContaining("no answer") }]);
});
