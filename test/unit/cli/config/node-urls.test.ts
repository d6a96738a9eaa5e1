import { writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import type { RpcUrls } from "../../../../src/adapters/viem/open-evm-nodes.ts";
import { readEnv } from "../../../../src/cli/config/config.ts";
import { NodesEnv } from "../../../../src/cli/config/env/nodes-env.ts";
import { evmUrlsOf, solanaUrlsOf, tronUrlsOf } from "../../../../src/cli/config/node-urls.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import { emptyFolder } from "../../../support/folder.ts";

async function fileOf(text: string): Promise<string> {
  const file = path.join(await emptyFolder(), "urls");
  writeFileSync(file, text);
  return file;
}

describe("URLs of EVM chains", () => {
  const urlsOf = (urls: string | undefined, rest: Record<string, string> = {}) =>
    evmUrlsOf(readEnv(NodesEnv, { EVM_RPC_URLS: urls, ...rest }));
  const shown = (urls: RpcUrls) => Array.from(urls, ([id, list]) => [id, list.map((url) => url.reveal())]);

  test("chains are named by number or alias, with one URL or several", async () => {
    const urls = await urlsOf(
      '{"eth": "https://a.example/key", "8453": ["https://b.example", "http://127.0.0.1:8545/"], "31337": "http://localhost"}',
    );

    expect(shown(urls)).toEqual([
      ["8453", ["https://b.example", "http://127.0.0.1:8545"]],
      ["31337", ["http://localhost"]],
      ["1", ["https://a.example/key"]],
    ]);
  });

  test("an empty setting means no chain", async () => expect(shown(await urlsOf(undefined))).toEqual([]));

  test("a file is preferred", async () => {
    const file = await fileOf('{"1": "https://of-the-file.example"}');

    expect(shown(await urlsOf('{"2": "https://b.example"}', { EVM_RPC_URLS_FILE: file }))).toEqual([
      ["1", ["https://of-the-file.example"]],
    ]);
  });

  const shape = 'EVM_RPC_URLS must be JSON of chain ids with a URL or a list of URLs: {"1": "https://..."}';

  test.each([
    ["https://a.example/hunter2", shape],
    ['{"1": 7}', shape],
    ['{"1": []}', shape],
    ['["https://a.example/hunter2"]', shape],
    ['{"tron": "https://a.example/hunter2"}', "EVM_RPC_URLS names tron, which is no EVM chain"],
    ['{"0x1": "https://a.example/hunter2"}', "EVM_RPC_URLS names 0x1, which is no EVM chain"],
    ['{"1": "https://a.example/hunter2", "eth": "https://b.example"}', "EVM_RPC_URLS names chain 1 twice"],
    ['{"1": "https://169.254.169.254/hunter2"}', /^EVM_RPC_URLS names a link-local address/],
    ['{"1": "http://a.example/hunter2"}', /^EVM_RPC_URLS is http/],
  ])("%s is refused, and not shown", async (text, message) => {
    const thrown = await urlsOf(text).catch((error: unknown) => error);

    expect(Object(thrown).code).toBe("CONFIG_INVALID");
    expect(Object(thrown).message).toEqual(typeof message === "string" ? message : expect.stringMatching(message));
    expect(Object(thrown).message).not.toContain("hunter2");
  });

  test("http beyond this machine needs a setting", async () => {
    const urls = await urlsOf('{"1": "http://geth:8545"}', { EVM_RPC_ALLOW_HTTP: "true" });

    expect(shown(urls)).toEqual([["1", ["http://geth:8545"]]]);
  });

  test("an absent file is named", async () => {
    await expect(urlsOf(undefined, { EVM_RPC_URLS_FILE: "/nowhere/urls.json" })).rejects.toThrow(
      /^EVM_RPC_URLS_FILE: cannot read \/nowhere\/urls\.json: ENOENT/,
    );
  });
});

describe("URLs of Solana", () => {
  const urlsOf = async (env: Record<string, string>) =>
    (await solanaUrlsOf(readEnv(NodesEnv, env))).map((url) => url.reveal());

  test("are a list in the order of preference", async () => {
    expect(await urlsOf({})).toEqual([]);
    expect(await urlsOf({ SOLANA_RPC_URL: "https://b.example/?key=1, http://localhost:8899/" })).toEqual([
      "https://b.example/?key=1",
      "http://localhost:8899",
    ]);
  });

  test("a file has one URL a line, including commas, and is preferred", async () => {
    const file = await fileOf("https://a.example/?keys=1,2\r\n\n  https://b.example/hunter2  \n");

    expect(await urlsOf({ SOLANA_RPC_URL: "https://c.example", SOLANA_RPC_URL_FILE: file })).toEqual([
      "https://a.example/?keys=1,2",
      "https://b.example/hunter2",
    ]);
  });

  test("an empty file is an error, and so is an absent one", async () => {
    const file = await fileOf("\n \n");

    await expect(urlsOf({ SOLANA_RPC_URL_FILE: file })).rejects.toEqual(
      new ConfigInvalidError(`SOLANA_RPC_URL_FILE: ${file} holds no URL: put one on each line`),
    );
    await expect(urlsOf({ SOLANA_RPC_URL_FILE: "/nowhere/urls" })).rejects.toThrow(
      /^SOLANA_RPC_URL_FILE: cannot read \/nowhere\/urls: ENOENT/,
    );
  });

  test("http beyond this machine needs a setting of Solana", async () => {
    const given = { SOLANA_RPC_URL: "http://node:8899/hunter2" };

    await expect(urlsOf(given)).rejects.toThrow(/^SOLANA_RPC_URL is http(?!.*hunter2)/);
    expect(await urlsOf({ ...given, SOLANA_RPC_ALLOW_HTTP: "true" })).toEqual(["http://node:8899/hunter2"]);
  });
});

test("URLs of TRON are a list, and hold no key", () => {
  const urlsOf = (env: Record<string, string>) => tronUrlsOf(readEnv(NodesEnv, env)).map((url) => url.reveal());

  expect(urlsOf({})).toEqual([]);
  expect(urlsOf({ TRON_RPC_URL: "https://a.example/, http://localhost:8090" })).toEqual([
    "https://a.example",
    "http://localhost:8090",
  ]);
  expect(urlsOf({ TRON_RPC_URL: "http://node:8090", TRON_RPC_ALLOW_HTTP: "true" })).toEqual(["http://node:8090"]);
  expect(() => urlsOf({ TRON_RPC_URL: "http://node:8090" })).toThrow(/^TRON_RPC_URL is http/);
});
