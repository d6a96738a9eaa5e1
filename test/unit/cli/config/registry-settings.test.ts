import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readEnv } from "../../../../src/cli/config/config.ts";
import { RegistryEnv } from "../../../../src/cli/config/env/registry-env.ts";
import { registrySettings } from "../../../../src/cli/config/registry-settings.ts";
import { emptyFolder } from "../../../support/folder.ts";

type Env = Readonly<Record<string, string>>;

const here: Env = { SCHEMA_REGISTRY_URL: "http://127.0.0.1:8081/" };
const settingsOf = async (env: Env) => registrySettings(readEnv(RegistryEnv, env));

test("without a URL there is no registry, and with one it is Confluent's interface", async () => {
  expect(await settingsOf({})).toBe(undefined);
  expect(await settingsOf({ ...here, EVENT_FORMAT: "avro" })).toEqual({
    baseUrl: "http://127.0.0.1:8081",
    api: "confluent",
    kind: "ids",
    connection: {},
    timeoutMs: 5_000,
    format: "avro",
  });
});

test.each([
  ["globalId", "globalIds"],
  ["contentId", "contentIds"],
])("Apicurio's %s is asked for at %s", async (useId, kind) => {
  const env = { ...here, SCHEMA_REGISTRY_API: "apicurio", SCHEMA_REGISTRY_USE_ID: useId };
  expect(await settingsOf(env)).toMatchObject({ api: "apicurio", kind });
});

test("a password comes from a variable or a file, and so does a token", async () => {
  const file = path.join(await emptyFolder(), "secret");
  await writeFile(file, "hunter2\n");
  const user = { ...here, SCHEMA_REGISTRY_USER: "weir" };
  const secretOf = async (env: Env) => {
    const login = (await settingsOf(env))?.login;
    return login?.kind === "basic" ? [login.user, login.password.current().reveal()] : login?.token.current().reveal();
  };

  expect(await secretOf({ ...user, SCHEMA_REGISTRY_PASSWORD: "hunter2" })).toEqual(["weir", "hunter2"]);
  expect(await secretOf({ ...user, SCHEMA_REGISTRY_PASSWORD_FILE: file })).toEqual(["weir", "hunter2"]);
  expect(await secretOf({ ...here, SCHEMA_REGISTRY_TOKEN: "hunter2" })).toBe("hunter2");
  expect(await secretOf({ ...here, SCHEMA_REGISTRY_TOKEN_FILE: file })).toBe("hunter2");
  expect(JSON.stringify(await settingsOf({ ...user, SCHEMA_REGISTRY_PASSWORD: "hunter2" }))).not.toContain("hunter2");
});

describe("a conflict", () => {
  test.each<[Env, RegExp]>([
    [{ EVENT_FORMAT: "avro" }, /EVENT_FORMAT avro needs SCHEMA_REGISTRY_URL/],
    [{ SCHEMA_REGISTRY_USER: "hunter2" }, /SCHEMA_REGISTRY_USER is set, and SCHEMA_REGISTRY_URL is not/],
    [{ ...here, SCHEMA_REGISTRY_API: "apicurio" }, /needs SCHEMA_REGISTRY_USE_ID/],
    [{ ...here, SCHEMA_REGISTRY_USE_ID: "globalId" }, /SCHEMA_REGISTRY_API is not apicurio/],
    [{ ...here, SCHEMA_REGISTRY_USER: "hunter2" }, /SCHEMA_REGISTRY_USER and SCHEMA_REGISTRY_PASSWORD need each other/],
    [{ ...here, SCHEMA_REGISTRY_PASSWORD: "hunter2" }, /need each other/],
    [{ ...here, SCHEMA_REGISTRY_USER: "a:hunter2", SCHEMA_REGISTRY_PASSWORD: "x" }, /must not hold a colon/],
    [
      { ...here, SCHEMA_REGISTRY_USER: "a", SCHEMA_REGISTRY_PASSWORD: "x", SCHEMA_REGISTRY_TOKEN: "hunter2" },
      /SCHEMA_REGISTRY_TOKEN and SCHEMA_REGISTRY_USER are both set/,
    ],
    [{ ...here, SCHEMA_REGISTRY_TOKEN: "hunter2", SCHEMA_REGISTRY_TOKEN_FILE: "f" }, /_TOKEN_FILE are both set/],
    [{ ...here, SCHEMA_REGISTRY_TLS_CERT_FILE: "f" }, /SCHEMA_REGISTRY_TLS_KEY_FILE need each other/],
    [{ SCHEMA_REGISTRY_URL: "http://registry.example:8081" }, /is http, so the network can read the password/],
    [{ SCHEMA_REGISTRY_URL: "https://weir:hunter2@registry.example" }, /must not hold a user name or a password/],
    [{ SCHEMA_REGISTRY_URL: "https://169.254.169.254/" }, /SCHEMA_REGISTRY_URL names a link-local address/],
    [{ SCHEMA_REGISTRY_URL: "hunter2" }, /must be an http or https URL/],
  ])("%j", async (env, message) => {
    await expect(settingsOf(env)).rejects.toThrow(message);
    await expect(settingsOf(env)).rejects.not.toThrow(/hunter2/);
  });

  test("http to another machine is allowed where that is meant", async () => {
    const env = { SCHEMA_REGISTRY_URL: "http://registry.example:8081", SCHEMA_REGISTRY_ALLOW_HTTP: "true" };
    expect(await settingsOf(env)).toMatchObject({ baseUrl: "http://registry.example:8081" });
  });
});
