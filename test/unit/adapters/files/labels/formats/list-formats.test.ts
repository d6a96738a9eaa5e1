import { expect, test } from "vitest";
import { labelHeader } from "../../../../../../src/cli/labels/label-report.ts";
import { imported } from "../../../../../support/list-source.ts";

const binance = "0x28C6c06298d514Db089934071355E5743bf21d60";
const tether = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const tron = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";
const solana = "3PsJzQzV9tYGZ6gQoZq5VQZ4JCwtTjy715F7DdaRrcnR";
const bitcoin = "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h";
const monero = "44dZUJ7w1T3fKAvFW8XyXUVoAGSbFvXef2wcbnsjNKGWYorpLJBjth5VKSFhLGkpYKJb2J341tdZHBnbpv72WL7e8zuxfR2";

test("explorer labels: a name for each address, all of the kind in the flag", async () => {
  const text = JSON.stringify({ [binance.toLowerCase()]: "Binance 14", "0x12": "broken", [tether]: 7 });

  expect(await imported("explorer-labels", text, { kind: "exchange" })).toMatchObject({
    lines: [`1,${binance.toLowerCase()},Binance 14,exchange,,,,,`],
    refused: [
      "2: address: must have 40 hex digits after 0x, has 2",
      "3: row: must be a name, or an object with name and labels",
    ],
  });
});

test("explorer labels: tags decide the kind, and no kind is guessed without them", async () => {
  const text = JSON.stringify({
    [binance]: { name: "Binance 14", labels: ["binance"] },
    [tether]: { name: "", labels: ["phish-hack"] },
    "0x8315177aB297bA92A06054cE80a67Ed4DBd7ed3a": { name: "Somebody", labels: ["take-action"] },
  });

  expect(await imported("explorer-labels", text, { chain: "56" })).toMatchObject({
    lines: [
      `56,${binance.toLowerCase()},Binance 14,exchange,,,,,`,
      `56,${tether.toLowerCase()},phish-hack,malicious,,,,,`,
    ],
    refused: ["3: kind: none of the tags tells it: take-action"],
  });
});

test("tables of exchange wallets: chains by their usual names, the distinct name before the exchange's", async () => {
  const text = `blockchain,address,cex_name,distinct_name,added_by
ethereum,${binance},Binance,"Binance 14, hot",somebody
avalanche_c,${binance.toLowerCase()},Binance,,somebody
tron,${tron},OKX,,somebody
moon,${tether},Nobody,,somebody
`;

  expect(await imported("cex-table", text)).toMatchObject({
    lines: [
      `1,${binance.toLowerCase()},"Binance 14, hot",exchange,,,,,`,
      `43114,${binance.toLowerCase()},Binance,exchange,,,,,`,
      `tron,${tron},OKX,exchange,,,,,`,
    ],
    refused: ["5: chain: unknown chain moon"],
  });
});

test.each([
  ["lines", `# SDN list\n${tron}\n\nTR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6x\n`],
  ["JSON", JSON.stringify([tron, 5])],
])("address lists as %s", async (_how, text) => {
  const { lines, refused } = await imported("address-list", text, { chain: "tron" });

  expect(lines).toEqual([`tron,${tron},sanctioned address,sanctioned,,,,,`]);
  expect(refused.length).toBe(1);
});

test.each([
  [
    "lines",
    `# mixed\r\n${binance}\tHot wallet # since May\r\n${tron}, Desk; 2\r\n${bitcoin}  #comment\r\n${monero}\r\nnonsense\r\n`,
    [`evm,${binance.toLowerCase()},Hot wallet,blocked,,,,,`, `tron,${tron},Desk; 2,blocked,,,,,`],
  ],
  [
    "JSON",
    JSON.stringify([binance, tron, bitcoin, monero, "nonsense"]),
    [`evm,${binance.toLowerCase()},blocked address,blocked,,,,,`, `tron,${tron},blocked address,blocked,,,,,`],
  ],
])("address lists of mixed chains as %s: the form of each address tells its chain", async (_how, text, lines) => {
  const { refused, ...rest } = await imported("address-list", text, { kind: "blocked" });

  expect(rest).toMatchObject({
    lines: [...lines, `bitcoin,${bitcoin},blocked address,blocked,,,,,`],
    unscreened: { XMR: 1 },
  });
  expect(refused).toEqual([expect.stringMatching(/^[56]: address: EVM: must start with 0x; TRON: /)]);
});

test.each([
  [`https://etherscan.io/address/${binance}`, `evm,${binance.toLowerCase()},sanctioned address`],
  [`https://etherscan.io/address/${binance}#tokentxns Hot wallet`, `evm,${binance.toLowerCase()},Hot wallet`],
  [`etherscan.io/token/${tether}?a=${tether.toLowerCase()};Tether`, `evm,${tether.toLowerCase()},Tether`],
  [`https://tronscan.org/#/address/${tron}\tDesk # since May`, `tron,${tron},Desk`],
  [`https://solscan.io/account/${solana}, Desk`, `solana,${solana},Desk`],
  [`http://mempool.space/address/${bitcoin}`, `bitcoin,${bitcoin},sanctioned address`],
])("the explorer's page of an address is read: %s", async (line, row) => {
  const { lines, refused, tally } = await imported("address-list", `${line}\n`);

  expect([lines, refused]).toEqual([[`${row},sanctioned,,,,,`], []]);
  expect(tally.fromLinks).toBe(1);
});

test.each([
  [`${binance};Hot wallet`, "Hot wallet"],
  [`${binance}\tHot wallet`, "Hot wallet"],
  [`${binance},Hot wallet`, "Hot wallet"],
  [`"${binance}","Hot wallet"`, "Hot wallet"],
  [`${binance},"Hot; ""wallet"""`, '"Hot; ""wallet"""'],
  [
    `${binance} https://etherscan.io/address/${binance.toLowerCase()}`,
    `https://etherscan.io/address/${binance.toLowerCase()}`,
  ],
])("the name behind an address is read: %s", async (line, name) => {
  const { lines, tally } = await imported("address-list", `${line}\n`);

  expect(lines).toEqual([`evm,${binance.toLowerCase()},${name},sanctioned,,,,,`]);
  expect(tally.fromLinks).toBe(0);
});

test.each(["- ", "* ", " \u2022\t", "\u2013 ", "12. ", "3) "])(
  "the address behind a bullet %j is read",
  async (bullet) => {
    const { lines, refused } = await imported("address-list", `${bullet}${binance} Hot wallet\n`);

    expect([lines, refused]).toEqual([[`evm,${binance.toLowerCase()},Hot wallet,sanctioned,,,,,`], []]);
  },
);

test.each([
  [`ETH,${binance}`, `evm,${binance.toLowerCase()},sanctioned address`],
  [`ETH ${binance} Hot wallet`, `evm,${binance.toLowerCase()},Hot wallet`],
  [`TRX ${tron}`, `tron,${tron},sanctioned address`],
  [`"Bitcoin";"${bitcoin}";"Hot wallet"`, `bitcoin,${bitcoin},Hot wallet`],
  [`- USDT-TRC20: ${tron}`, `tron,${tron},sanctioned address`],
])("the name of a chain or currency in front of the address is read: %s", async (line, row) => {
  const { lines, refused } = await imported("address-list", `${line}\n`);

  expect([lines, refused]).toEqual([[`${row},sanctioned,,,,,`], []]);
});

test.each([
  [`eip155:1:${binance}`, `evm,${binance.toLowerCase()}`],
  [`ethereum:${binance}, Hot wallet`, `evm,${binance.toLowerCase()}`],
  [`bitcoin:${bitcoin}`, `bitcoin,${bitcoin}`],
])("the chain before the address, as in %s, is read and kept in the note", async (line, row) => {
  const { lines, refused } = await imported("address-list", `${line}\n`);

  expect([lines.map((each) => each.startsWith(row)), refused]).toEqual([[true], []]);
  expect(lines[0]).toContain("published as ");
});

test.each(["Address,Reason,Added by", "Chain;Wallet address;Why", '"wallet"\t"name"', "address"])(
  "a header %s is no row",
  async (header) => {
    const { lines, refused, tally } = await imported("address-list", `# list\n${header}\n${binance},Theft,A\n`);

    expect([lines.length, refused, tally.rows]).toEqual([1, [], 1]);
  },
);

test("words of a header in a later line, or with an address, are a row", async () => {
  const text = `${binance}\nAddress,Reason\n`;
  expect((await imported("address-list", text)).refused.length).toBe(1);
  expect((await imported("address-list", `address,${binance}\n`)).refused.length).toBe(1);
});

test.each([
  [
    `Theft ${binance}`,
    "the line does not begin with an address, nor with the name of a chain: write the address first",
  ],
  [`ETH ${binance} ${tether}`, "the line holds several addresses"],
  [`Theft ${binance} ${tether}`, "the line holds several addresses"],
  [`- ${binance} ${tether}`, "the line holds several addresses"],
  [`${binance},${tether}`, "the line holds several addresses"],
  [`${binance} of (${tron})`, "the line holds several addresses"],
  [`${binance};${monero}`, "the line holds several addresses"],
  [`https://etherscan.io/token/${tether}?a=${binance}`, "the link holds several addresses"],
  [`https://etherscan.io/tx/0x${"7".repeat(64)}`, "the link holds no address"],
  ["https://etherscan.io/", "the link holds no address"],
])("a line with several addresses is refused: %s", async (line, why) => {
  expect(await imported("address-list", `${line}\n`)).toMatchObject({ lines: [], refused: [`1: address: ${why}`] });
});

test("--name names the unnamed addresses of a list, and no others", async () => {
  const { lines } = await imported("address-list", `${binance} Hot wallet\n${tron}\n`, { name: "Own list" });

  expect(lines).toEqual([
    `evm,${binance.toLowerCase()},Hot wallet,sanctioned,,,,,`,
    `tron,${tron},Own list,sanctioned,,,,,`,
  ]);
});

const unsaid = { name: "Own list", kind: "blocked" };

test.each([
  [
    "csv",
    `chain,address,name,kind\neth,${binance},,\ntron,${tron},Desk,exchange\n`,
    [`1,${binance.toLowerCase()},Own list,blocked,,,,,`, `tron,${tron},Desk,exchange,,,,,`],
  ],
  ["explorer-labels", JSON.stringify({ [binance]: "" }), [`1,${binance.toLowerCase()},Own list,blocked,,,,,`]],
  [
    "cex-table",
    `blockchain,address,cex_name\nethereum,${binance},\n`,
    [`1,${binance.toLowerCase()},Own list,exchange,,,,,`],
  ],
] as const)("--name and --kind fill empty cells of %s, and no others", async (format, text, lines) => {
  expect(await imported(format, text, unsaid)).toMatchObject({ lines, refused: [] });
});

test("token lists follow the Uniswap schema, with the full name beside the symbol", async () => {
  const tokens = [{ chainId: 1, address: tether, symbol: "USDT", name: "Tether USD", decimals: 6 }, "none"];

  expect(await imported("token-list", JSON.stringify({ name: "A list", tokens }))).toMatchObject({
    lines: [`1,${tether.toLowerCase()},USDT,token,,Tether USD,,,`],
    refused: ["2: row: must be an object"],
  });
});

test.each([
  ["explorer-labels", "[]", "must be an object"],
  ["explorer-labels", "{", "JSON"],
  ["cex-table", "chain,address\n", "no column blockchain in the header"],
  ["cex-table", "", "no column blockchain in the header"],
  ["token-list", "{}", "no array tokens"],
  ["csv", "a,b\n", "no column chain, address, name, kind in the header"],
  ["address-list", '["a", "b"', "it ends within the array"],
] as const)("%s with %j is refused as a whole", async (format, text, why) => {
  await expect(imported(format, text)).rejects.toThrow(why);
});

test("a written label file reads back unchanged in every column, including commas and quotes", async () => {
  const row = `1,${tether.toLowerCase()},"A ""B"", C #1",token,3,"Full, name","P1, P2","note; with #",2026-11-20`;
  const site = ",bad.example,Page,site,5,,,,";

  const { lines } = await imported("csv", `${labelHeader}${row}\n${site}\n`);

  expect(lines).toEqual([row, site]);
});
