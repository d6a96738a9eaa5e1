import path from "node:path";
import { expect, test } from "vitest";
import { readRecords } from "../../../../../src/adapters/files/input/records.ts";
import { presetNames, readPreset } from "../../../../../src/adapters/files/mapping/mapping-file.ts";
import { readHistory } from "../../../../../src/adapters/files/mapping/wallet-history.ts";
import type { ScreeningEvent } from "../../../../../src/messages/event.ts";

const presets = "data/mappings";
const exportsFolder = "test/fixtures/exports";
/** The wallet of each family in the exports, the exchange that it pays, another payee, and a lookalike of the exchange. */
const names: Readonly<Record<string, string>> = {
  "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91": "ME",
  "0x1e227979f0b5bc691a70deaed2e0f39a6f538fd5": "EXCHANGE",
  "0xab16a96d359ec26a11e2c2b3d8f8b8942d5bfcdb": "OTHER",
  "0x1e22aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa538fd5": "LOOKALIKE",
  "0xdac17f958d2ee523a2206206994597c13d831ec7": "USDT",
  "0x2222222222222222222222222222222222222222": "FAKE",
  TA9SJtzNUWiU6JzyS3kEQuRHRkPsitspmo: "ME",
  TNd4cEh4xvxqewPDmTmbt3iacH9JuFypPs: "EXCHANGE",
  TA9SpmD6Fne54b4jEWpCDaHUECdJitspmo: "LOOKALIKE",
  TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t: "USDT",
  "3PsJzQzV9tYGZ6gQoZq5VQZ4JCwtTjy715F7DdaRrcnR": "ME",
  "9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM": "EXCHANGE",
  EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v: "USDC",
};
const evm = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";
const tron = "TA9SJtzNUWiU6JzyS3kEQuRHRkPsitspmo";
const solana = "3PsJzQzV9tYGZ6gQoZq5VQZ4JCwtTjy715F7DdaRrcnR";

function shortOf(event: ScreeningEvent): string {
  if (event.type !== "address") return event.type;
  const { chain_id: chain, address, checks = [], user_addresses: users = [], token_address: token } = event;
  const nameOf = (text: string) => names[text] ?? text;
  const out = checks.includes("payment") ? "to" : "from";
  return `${chain}: ${out} ${nameOf(address)}, known ${users.map(nameOf).join(" ")}${token === undefined ? "" : `, token ${nameOf(token)}`}`;
}

const NO_RECEIVER = "the row has no receiver: the payment made a contract, or the export left it out";
const NOT_MINE = "neither end of the payment is the wallet of --wallet";

test.each<[string, string, string | undefined, readonly string[]]>([
  [
    "etherscan-transactions.csv",
    "etherscan",
    evm,
    [
      "1: to EXCHANGE, known ME",
      // The failed payment to OTHER is screened, and makes OTHER no payee.
      "1: to OTHER, known ME EXCHANGE",
      "1: from LOOKALIKE, known ME EXCHANGE",
      "1: to LOOKALIKE, known ME EXCHANGE",
      NO_RECEIVER,
      NOT_MINE,
    ],
  ],
  [
    "etherscan-tokens.csv",
    "etherscan",
    evm,
    [
      "1: to EXCHANGE, known ME, token USDT",
      "1: to LOOKALIKE, known ME EXCHANGE, token USDT",
      "1: to LOOKALIKE, known ME EXCHANGE, token FAKE",
      "1: to LOOKALIKE, known ME EXCHANGE, token USDT",
      "1: to EXCHANGE, known ME EXCHANGE, token USDT",
    ],
  ],
  ["etherscan-internal.csv", "etherscan", evm, ["1: from OTHER, known ME", "1: to EXCHANGE, known ME"]],
  ["bscscan-transactions.csv", "etherscan", evm, ["56: to EXCHANGE, known ME", "56: from EXCHANGE, known ME EXCHANGE"]],
  // The newest row comes first, and its older payment failed.
  ["etherscan-advanced.csv", "etherscan", evm, ["1: to EXCHANGE, known ME", "1: to OTHER, known ME"]],
  [
    "blockscout-tokens.csv",
    "blockscout",
    evm,
    ["1: to EXCHANGE, known ME, token USDT", "1: from EXCHANGE, known ME EXCHANGE, token USDT"],
  ],
  [
    "tronscan-transfers.csv",
    "tronscan",
    tron,
    ["tron: from LOOKALIKE, known ME EXCHANGE", "tron: to EXCHANGE, known ME"],
  ],
  [
    "tronscan-tokens.csv",
    "tronscan",
    tron,
    ["tron: to EXCHANGE, known ME, token USDT", "tron: to EXCHANGE, known ME EXCHANGE"],
  ],
  [
    "solscan-transfers.csv",
    "solscan",
    solana,
    ["solana: to EXCHANGE, known ME, token USDC", "solana: from EXCHANGE, known ME"],
  ],
  [
    "dune-transfers.csv",
    "dune",
    evm,
    [
      "ethereum: to EXCHANGE, known ME, token USDT",
      "bnb: from EXCHANGE, known ME EXCHANGE, token USDT",
      "ton: to OTHER, known ME EXCHANGE",
    ],
  ],
  [
    "bitquery-transfers.ndjson",
    "bitquery",
    evm,
    ["1: to EXCHANGE, known ME, token USDT", "1: from EXCHANGE, known ME EXCHANGE"],
  ],
  [
    "fireblocks-webhooks.ndjson",
    "fireblocks",
    undefined,
    [
      "1: to EXCHANGE, known ME",
      "tron: from LOOKALIKE, known ME",
      "XLM_USDC_T_CEKS: to GC64QXQEVU33BHZGWGC3K637HACYTDWA6JHPDN5NQIRBMDC637UL4F2W, known GBA3CI3MMCHWNKQYGYQNXGXSQEZZHTZCYY5JZ7MIVLJ74DBUGIOAGNV6",
      "direction: must be out or in, not something_new",
    ],
  ],
  ["debezium-changes.ndjson", "debezium", undefined, ["1: from EXCHANGE, known ME", "no event in /after"]],
  ["connect-records.ndjson", "connect", undefined, ["1: from EXCHANGE, known ME"]],
  ["cloudevents.ndjson", "cloudevents", undefined, ["1: from EXCHANGE, known ME", "1: from EXCHANGE, known ME"]],
])("%s goes through the preset %s", async (file, preset, wallet, expected) => {
  const loaded = await readPreset(presets, preset);
  const options = { path: path.join(exportsFolder, file), defaults: { users: [] }, isFinished: true };
  const mapping = wallet === undefined ? loaded : (await readHistory(options, loaded, [wallet])).input;
  const unread: string[] = [];
  const onUnread = (strays: readonly { readonly path: string }[]) => unread.push(...strays.map((stray) => stray.path));
  const records = await Array.fromAsync(readRecords({ ...options, mapping, onUnread }));

  expect(records.map(({ event }) => (event.ok ? shortOf(event.value) : event.detail))).toEqual(expected);
  // A preset names each column of its export, so nothing is left to report.
  expect(unread).toEqual([]);
});

test("each preset is valid, and has a title and a word on its use", async () => {
  const all = await presetNames(presets);

  expect(all.length).toBeGreaterThanOrEqual(10);
  for (const name of all) {
    const { mapping } = await readPreset(presets, name);
    expect(mapping.title, name).toBeDefined();
    expect(mapping.about, name).toBeDefined();
    expect(mapping.source, name).toBeDefined();
  }
});

test("an export with both ends needs a wallet, and a wallet that no row has is refused", async () => {
  const loaded = await readPreset(presets, "etherscan");
  const options = {
    path: path.join(exportsFolder, "etherscan-tokens.csv"),
    defaults: { users: [] },
    isFinished: true,
  };

  await expect(Array.fromAsync(readRecords({ ...options, mapping: loaded }))).rejects.toThrow(
    "the mapping etherscan has both ends of each payment: add --wallet ADDRESS",
  );
  await expect(readHistory(options, loaded, [`0x${"12".repeat(20)}`])).rejects.toThrow(
    "--wallet: no payment of the file has this wallet at either end (5 rows)",
  );
});
