import { describe, expect, test } from "vitest";
import { type NodeSetting, nodeUrl } from "../../../../../src/adapters/http/connection/node-url.ts";
import { ConfigInvalidError } from "../../../../../src/kernel/errors.ts";

const strict = { allowHttp: false };
const settings: readonly NodeSetting[] = ["SOLANA_RPC_URL", "TRON_RPC_URL", "EVM_RPC_URLS"];
/** For these two settings many nodes read a key from the query. */
const withQuery: readonly NodeSetting[] = ["SOLANA_RPC_URL", "EVM_RPC_URLS"];

describe.each(settings)("a URL of %s", (setting) => {
  test.each([
    ["https://node.example/hunter2/", "https://node.example/hunter2"],
    ["https://node.example/v2/key/", "https://node.example/v2/key"],
    ["http://127.0.0.1:8545", "http://127.0.0.1:8545"],
    ["http://localhost:8899/", "http://localhost:8899"],
    ["https://10.0.0.7:8545", "https://10.0.0.7:8545"],
  ])("%s is accepted, without a slash at its end", (text, url) => {
    expect(nodeUrl(setting, text, strict).reveal()).toBe(url);
  });

  test("its content is never printed", () => {
    expect(String(nodeUrl(setting, "https://node.example/hunter2", strict))).toBe("[secret]");
  });

  test("http beyond this machine needs a setting", () => {
    for (const url of ["http://geth:8545", "http://10.0.0.5:8899", "http://node.example:8090"])
      expect(nodeUrl(setting, url, { allowHttp: true }).reveal()).toBe(url);
  });

  test.each([
    ["hunter2", "must be an http or https URL"],
    ["node.example", "must be an http or https URL"],
    ["ws://node.example/hunter2", "must be an http or https URL"],
    ["wss://node.example", "must be an http or https URL"],
    ["ftp://node.example", "must be an http or https URL"],
    ["file:///etc/passwd", "must be an http or https URL"],
    ["https://0x7f.1.1.1.1", "must be an http or https URL"],
    [
      "https://169.254.169.254/latest/meta-data",
      "names a link-local address, as of cloud metadata, and no service is asked there: give the address of the service",
    ],
  ])("%s is refused, and not repeated", (text, message) => {
    expect(() => nodeUrl(setting, text, strict)).toThrow(new ConfigInvalidError(`${setting} ${message}`));
  });
});

test.each(withQuery)("a query stays unchanged in %s", (setting) => {
  for (const url of ["https://node.example/path?api-key=hunter2", "https://node.example/rpc?network=eth&dkey=a/b/"])
    expect(nodeUrl(setting, url, strict).reveal()).toBe(url);
});

test.each<[NodeSetting, string, string]>([
  [
    "SOLANA_RPC_URL",
    "https://me:hunter2@node.example",
    "must not hold a user name or a password: give the key in its path or its query, as the node's operator says",
  ],
  [
    "EVM_RPC_URLS",
    "https://user:hunter2@node.example",
    "must not hold a user name or a password: give the key as the provider writes it, in the path or the query",
  ],
  [
    "TRON_RPC_URL",
    "https://user:hunter2@node.example",
    "must not hold a user name or a password: the node knows its clients by TRON_RPC_API_KEY",
  ],
  [
    "SOLANA_RPC_URL",
    "https://node.example/#hunter2",
    "must not hold a query or a fragment: leave out what begins with #",
  ],
  [
    "EVM_RPC_URLS",
    "https://node.example/#hunter2",
    "must not hold a query or a fragment: give the URL without its fragment",
  ],
  [
    "TRON_RPC_URL",
    "https://node.example/?key=hunter2",
    "must not hold a query or a fragment: give what stands before /wallet",
  ],
  [
    "SOLANA_RPC_URL",
    "http://node.example/hunter2",
    "is http, so the network can read the key and change what the chain seems to hold: use https, or set SOLANA_RPC_ALLOW_HTTP=true where that is meant",
  ],
  [
    "EVM_RPC_URLS",
    "http://node.example/hunter2",
    "is http, so the network can read the key and change the answers: use https, or set EVM_RPC_ALLOW_HTTP=true where that is meant",
  ],
  [
    "TRON_RPC_URL",
    "http://node.example/hunter2",
    "is http, so the network can read the key and change the answers: use https, or set TRON_RPC_ALLOW_HTTP=true where that is meant",
  ],
])("%s gives a remedy in place of %s", (setting, text, message) => {
  expect(() => nodeUrl(setting, text, strict)).toThrow(new ConfigInvalidError(`${setting} ${message}`));
});
