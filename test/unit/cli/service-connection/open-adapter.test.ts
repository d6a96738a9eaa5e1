import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { readEnv, ScreenEnv } from "../../../../src/cli/config/config.ts";
import { chooseService } from "../../../../src/cli/screen/screen-service.ts";
import { loadAdapter, openAdapter } from "../../../../src/cli/service-connection/open-adapter.ts";
import { reachNamedService } from "../../../../src/cli/service-connection/service-connection.ts";
import { emptyFolder } from "../../../support/folder.ts";

const URL = "https://vendor.test/api";
const whole = `export function adapter({ baseUrl, now }) {
  if (baseUrl !== "${URL}" || now() < 1e12) throw new Error("no context");
  const operation = { request: () => ({ path: "/" }), answer: () => ({ failure: "unknown" }) };
  return { schema: "weir.adapter/1", name: "vendor", operations: { "address-poisoning": operation } };
}`;

async function fileOf(text: string, name = "adapter.mjs"): Promise<string> {
  const file = path.join(await emptyFolder(), name);
  await writeFile(file, text);
  return file;
}

test("a module is loaded by its path, also from the working directory, and gets the service's URL and the time", async () => {
  const file = await fileOf(whole);
  expect(await loadAdapter(file, URL)).toMatchObject({ name: "vendor" });
  expect(await loadAdapter(path.relative(process.cwd(), file), URL)).toMatchObject({ name: "vendor" });
  expect((await openAdapter(file, URL)).hasBatches).toBe(false);
});

test.each([
  ["export const adapter = 1;", "must export a function adapter; exports adapter"],
  ["export default () => ({});", "must export a function adapter; exports default"],
  ["", "must export a function adapter; exports nothing"],
  ["export function adapter( {", "cannot be loaded: "],
  ['import "./none.mjs";', "cannot be loaded: Cannot find module"],
  ['throw new Error("at the top\\nand on")', "cannot be loaded: at the top: correct the module"],
  [
    'export function adapter() { throw new Error("no key"); }',
    "the function adapter threw: no key: correct the module",
  ],
  ['export async function adapter() { throw new Error("x"); }', "the function adapter must not be async"],
  ["export function adapter() { return { schema: 1 }; }", 'schema: must be "weir.adapter/1"'],
])("%j is refused: %s", async (text, detail) => {
  const file = await fileOf(text);
  await expect(openAdapter(file, URL)).rejects.toMatchObject({
    code: "CONFIG_INVALID",
    message: expect.stringMatching(/^SERVICE_ADAPTER: /),
  });
  await expect(loadAdapter(file, URL)).rejects.toThrow(`${file}: ${detail}`);
});

test("an absent file, a folder and a package are reported with the searched path", async () => {
  const missing = path.resolve("some-package");
  await expect(openAdapter("some-package", URL)).rejects.toThrow(
    `SERVICE_ADAPTER: some-package: there is no such file (${missing}): name a file, not a package`,
  );
  await expect(openAdapter(await emptyFolder(), URL)).rejects.toThrow("there is no such file");
});

test("an adapter needs a service, and conflicts with the requests of a dialect", async () => {
  const SERVICE_ADAPTER = await fileOf(whole);
  await expect(chooseService(readEnv(ScreenEnv, { SERVICE_ADAPTER }))).rejects.toThrow(
    "SERVICE_ADAPTER is set without SERVICE_URL: name the service that it translates for",
  );
  const reached = (dialect: string) =>
    fileOf(dialect, "dialect.yaml").then((SERVICE_DIALECT) =>
      reachNamedService(URL, readEnv(ScreenEnv, { SERVICE_ADAPTER, SERVICE_DIALECT, SERVICE_API_KEY: "k" }), {}),
    );
  for (const part of ["auth: { header: X }", "headers: { X: y }", "paths: {}", "operations: [address-poisoning]"])
    await expect(reached(`schema: weir.dialect/1\n${part}\n`)).rejects.toThrow(
      `SERVICE_ADAPTER is set, and the file of SERVICE_DIALECT has ${part.split(":", 1)[0]}: an adapter says that itself`,
    );
  const scales = await reached("schema: weir.dialect/1\nlevels: { low: INFO }\ntaxes: percent\n");
  expect(scales).toMatchObject({ dialect: { taxes: "percent" }, translation: { hasBatches: false } });
});
