import { expect, test } from "vitest";
import { solanaRpcUrl } from "../../../../src/adapters/http/rpc-url.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";

const strict = { allowHttp: false };

test.each([
  ["https://node.example/path?api-key=hunter2", "https://node.example/path?api-key=hunter2"],
  ["https://node.example/hunter2/", "https://node.example/hunter2"],
  ["http://127.0.0.1:8899", "http://127.0.0.1:8899"],
  ["http://localhost:8899/", "http://localhost:8899"],
])("%s is a node's", (text, url) => {
  expect(solanaRpcUrl(text, strict).reveal()).toBe(url);
});

test("what it holds is printed nowhere", () => {
  expect(String(solanaRpcUrl("https://node.example/hunter2", strict))).toBe("[secret]");
});

test("http to elsewhere is allowed where that is meant", () => {
  expect(solanaRpcUrl("http://10.0.0.5:8899", { allowHttp: true }).reveal()).toBe("http://10.0.0.5:8899");
});

test.each([
  ["hunter2", "SOLANA_RPC_URL must be an http or https URL"],
  ["ws://node.example/hunter2", "SOLANA_RPC_URL must be an http or https URL"],
  [
    "https://me:hunter2@node.example",
    "SOLANA_RPC_URL must not hold a user name or a password: give the key in its path or its query, as the node's operator says",
  ],
  ["https://node.example/#hunter2", "SOLANA_RPC_URL must not hold a query or a fragment: leave out what begins with #"],
  [
    "http://node.example/hunter2",
    "SOLANA_RPC_URL is http, so the network can read the key and change what the chain seems to hold: use https, or set SOLANA_RPC_ALLOW_HTTP=true where that is meant",
  ],
  [
    "https://169.254.169.254/latest/meta-data",
    "SOLANA_RPC_URL names a link-local address, as of cloud metadata, and no service is asked there: give the address of the service",
  ],
])("%s is refused, and not repeated", (text, message) => {
  expect(() => solanaRpcUrl(text, strict)).toThrow(new ConfigInvalidError(message));
});
