import { expect, test } from "vitest";
import { rpcUrl } from "../../../../src/adapters/http/rpc-url.ts";

const strict = { allowHttp: false };

test.each([
  ["https://node.example/v2/key/", "https://node.example/v2/key"],
  ["https://node.example/rpc?network=ethereum&dkey=a/b/", "https://node.example/rpc?network=ethereum&dkey=a/b/"],
  ["http://127.0.0.1:8545", "http://127.0.0.1:8545"],
  ["http://localhost:8545/", "http://localhost:8545"],
  ["https://10.0.0.7:8545", "https://10.0.0.7:8545"],
])("%s is one", (text, url) => expect(rpcUrl(text, strict)).toBe(url));

test.each([
  ["wss://node.example", "EVM_RPC_URLS must be an http or https URL"],
  ["node.example", "EVM_RPC_URLS must be an http or https URL"],
  ["file:///etc/passwd", "EVM_RPC_URLS must be an http or https URL"],
  [
    "https://user:secret@node.example",
    "EVM_RPC_URLS must not hold a user name or a password: give the key as the provider writes it, in the path or the query",
  ],
  [
    "https://node.example/#secret",
    "EVM_RPC_URLS must not hold a query or a fragment: give the URL without its fragment",
  ],
  [
    "http://node.example/secret",
    "EVM_RPC_URLS is http, so the network can read the key and change the answers: use https, or set EVM_RPC_ALLOW_HTTP=true where that is meant",
  ],
  [
    "https://169.254.169.254/latest",
    "EVM_RPC_URLS names a link-local address, as of cloud metadata, and no service is asked there: give the address of the service",
  ],
  ["https://0x7f.1.1.1.1", "EVM_RPC_URLS must be an http or https URL"],
])("%s is none", (text, message) => expect(() => rpcUrl(text, strict)).toThrow(message));

test("http beyond this machine is for those who mean it", () => {
  expect(rpcUrl("http://geth:8545", { allowHttp: true })).toBe("http://geth:8545");
});
