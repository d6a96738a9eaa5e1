import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { emptyFolder } from "../../support/folder.ts";
import { ShownSecrets } from "../../support/shown-secrets.ts";

test("a secret is found at any position, with its setting", async () => {
  const folder = await emptyFolder();
  const file = path.join(folder, "keys");
  await writeFile(file, "-----BEGIN PRIVATE KEY-----\nfirst-of-file\nsecond-of-file\n");
  const secrets = new ShownSecrets({
    SERVICE_API_KEYS: "one-of-two,two-of-two",
    KAFKA_TLS_KEY_FILE: file,
    KAFKA_SASL_PASSWORD_FILE: path.join(folder, "missing"),
    AWS_SECRET_ACCESS_KEY: "short",
    SERVICE_URL: "http://127.0.0.1:1",
  });

  expect(secrets.in("two-of-two in a line with second-of-file")).toEqual(["SERVICE_API_KEYS", "KAFKA_TLS_KEY_FILE"]);
  expect(secrets.in("-----BEGIN PRIVATE KEY-----, short, http://127.0.0.1:1, missing")).toEqual([]);
});

test("keys of nodes are found at any position of a URL, and their hosts are no secrets", async () => {
  const file = path.join(await emptyFolder(), "urls");
  await writeFile(file, '{"1": ["https://eth.example/v2/key-of-a-file-0123", "http://127.0.0.1:8545"]}');
  const secrets = new ShownSecrets({
    EVM_RPC_URLS: '{"1":"https://eth.example/v3/key-of-evm-012345","56":["https://a.example?token=key-of-56"]}',
    EVM_RPC_URLS_FILE: file,
    SOLANA_RPC_URL: "https://solana.example/solana-mainnet/?api-key=key-of-solana,http://127.0.0.1:8899",
    TRON_RPC_URL: "https://user:key-of-tron@tron.example/jsonrpc",
    TRON_RPC_API_KEY: "key-of-trongrid",
    EVM_VERIFIER_API_KEY: "key-of-a-register",
  });

  expect(secrets.in("https://eth.example/v3, solana-mainnet, user, jsonrpc, http://127.0.0.1:8545")).toEqual([]);
  expect(secrets.in("GET /v3/key-of-evm-012345")).toEqual(["EVM_RPC_URLS"]);
  expect(secrets.in("key-of-56")).toEqual(["EVM_RPC_URLS"]);
  expect(secrets.in("/v2/key-of-a-file-0123")).toEqual(["EVM_RPC_URLS_FILE"]);
  expect(secrets.in("key-of-solana, key-of-tron, key-of-trongrid, key-of-a-register")).toEqual([
    "SOLANA_RPC_URL",
    "TRON_RPC_URL",
    "TRON_RPC_API_KEY",
    "EVM_VERIFIER_API_KEY",
  ]);
});
