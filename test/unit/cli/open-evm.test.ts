import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { RpcUrls } from "../../../src/adapters/viem/open-evm-nodes.ts";
import { readEnv } from "../../../src/cli/config.ts";
import { EvmEnv } from "../../../src/cli/env/nodes-env.ts";
import { openEvm, rpcUrlsOf } from "../../../src/cli/open-evm.ts";
import { Lifecycle } from "../../../src/kernel/lifecycle.ts";
import { FakeLog } from "../../fakes/fake-log.ts";
import { emptyFolder } from "../../support/folder.ts";

const urlsOf = (urls: string | undefined, rest: Record<string, string> = {}) =>
  rpcUrlsOf(readEnv(EvmEnv, { EVM_RPC_URLS: urls, ...rest }));
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

test("none at all is no chain", async () => expect(shown(await urlsOf(undefined))).toEqual([]));

test("a file is preferred", async () => {
  const file = path.join(await emptyFolder(), "urls.json");
  writeFileSync(file, '{"1": "https://of-the-file.example"}');

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

test("http beyond this machine is for those who mean it", async () => {
  const urls = await urlsOf('{"1": "http://geth:8545"}', { EVM_RPC_ALLOW_HTTP: "true" });

  expect(shown(urls)).toEqual([["1", ["http://geth:8545"]]]);
});

test("every chain of the list can be asked, known to viem or not", async () => {
  const opened = new Lifecycle();
  const log = new FakeLog();
  const config = readEnv(EvmEnv, {
    EVM_RPC_URLS: '{"1": "https://a.example", "84531": "https://b.example", "99999999999": "https://c.example"}',
  });

  const evm = await openEvm(config, opened, log);

  expect(["1", "84531", "99999999999", "56"].map((id) => evm?.nodes.find(id)?.chainId)).toEqual([
    "1",
    "84531",
    "99999999999",
    undefined,
  ]);
  expect(log.lines).toEqual([{ level: "info", message: "evm nodes", fields: { chains: 3, endpoints: 3 } }]);
  expect(await opened.close(1_000)).toEqual([]);
});

test("without URLs nothing is asked", async () => {
  expect(await openEvm(readEnv(EvmEnv, {}), new Lifecycle(), new FakeLog())).toBeUndefined();
});
