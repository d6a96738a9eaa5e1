import { expect, test } from "vitest";
import { imported, sample, textSource } from "../../../../../support/list-source.ts";

const bitcoin = "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h";
const evm = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";

test("SDN.CSV: addresses among the remarks, several programs in one cell", async () => {
  expect(await imported("ofac-csv", await sample("sdn.csv"))).toMatchObject({
    lines: [
      `bitcoin,${bitcoin},"DOE, Example",sanctioned,,,"DPRK3, CYBER2",OFAC uid 90001; XBT,`,
      `evm,${evm.toLowerCase()},"DOE, Example",sanctioned,,,"DPRK3, CYBER2",OFAC uid 90001; ETH,`,
      "tron,TXFBqBbqJommqZf7BV8NNYzePh97UmJodJ,EXAMPLE MIXER,sanctioned,,,CYBER2,OFAC uid 90002; USDT,",
    ],
    refused: [],
    unscreened: { XMR: 1 },
    tally: { givenTwice: 1 },
  });
});

const row = (uid: number, remarks: string) =>
  `${uid},"DOE, Example",-0- ,"CYBER2",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,"${remarks}"\r\n`;
const long = `${"DOB 01 Jan 1985; ".repeat(55)}Digital Currency Address - XBT ${bitcoin.slice(0, 20)}`;

test("long remarks continue in the file of comments, cut anywhere, also within an address", async () => {
  const comments = textSource(`7,"${bitcoin.slice(20)}; alt. Digital Currency Address - ETH ${evm}."\r\n\u001a`);

  const { lines, refused } = await imported("ofac-csv", row(7, long), { comments });

  expect(lines.map((line) => line.split(",")[1])).toEqual([bitcoin, evm.toLowerCase()]);
  expect(refused).toEqual([]);
});

test("an address that only the file of comments names is found", async () => {
  const comments = textSource(`7,"Digital Currency Address - ETH ${evm}."\r\n`);

  const { lines } = await imported("ofac-csv", row(7, `${"DOB 01 Jan 1985; ".repeat(58)}`), { comments });

  expect(lines).toEqual([`evm,${evm.toLowerCase()},"DOE, Example",sanctioned,,,CYBER2,OFAC uid 7; ETH,`]);
});

test("without the file of comments, truncated remarks are reported", async () => {
  const { lines, refused } = await imported("ofac-csv", row(7, long));

  expect(lines).toEqual([]);
  expect(refused).toContain(
    "1: row: remarks are cut off and may have named more addresses: add --comments SDN_COMMENTS.CSV, or take SDN_ADVANCED.XML",
  );
});

test("an unreadable row that may name an address is refused by its line", async () => {
  const text = `${row(7, "none.")}8,"DOE",Digital Currency Address - XBT ${bitcoin}\r\n${row(9, "Digital Currency Address - .")}`;

  expect((await imported("ofac-csv", text)).refused).toEqual([
    "2: row: 3 cells where SDN.CSV has 12",
    "3: row: remarks name an address without currency or text",
  ]);
});

const whole = row(8, "DOB 01 Jan 1985.");

test.each([
  ["within its remarks", whole.indexOf("DOB") + 5, "not valid CSV: csv quote not closed"],
  ["behind a cell", whole.indexOf(',"CYBER2"'), "3 cells where SDN.CSV has 12"],
  ["behind the last comma", whole.indexOf('"DOB'), "its last cell is empty"],
])("a truncated last row %s refuses the file, and the error names the line", async (_where, length, why) => {
  const text = `${row(7, `Digital Currency Address - ETH ${evm}.`)}${whole.slice(0, length)}`;

  await expect(imported("ofac-csv", text)).rejects.toThrow(`line 2 is cut off (${why}): get the file again in full`);
});

test("a last row without a line break is complete, and so is one in front of the end-of-file character", async () => {
  for (const end of ["", "\r\n", "\r\n\u001a"]) {
    const text = `${row(7, `Digital Currency Address - ETH ${evm}.`)}${whole.trimEnd()}${end}`;

    expect((await imported("ofac-csv", text)).lines).toHaveLength(1);
  }
});

test("a truncated file of comments refuses the file, and the error names the line", async () => {
  const comments = textSource(`7,"none."\r\n8,"DOB 01 Jan`);

  await expect(imported("ofac-csv", row(7, "none."), { comments })).rejects.toThrow(
    "the file of --comments: line 2 is cut off (not valid CSV: csv quote not closed): get the file again in full",
  );
});

test.each([
  ["chain,address\n", {}, "its first line has not the 12 columns of SDN.CSV"],
  ['1,"remarks"\n', {}, "its first line has not the 12 columns of SDN.CSV"],
  [row(7, "none."), { comments: textSource("chain,address\n") }, "the file of --comments is no SDN_COMMENTS.CSV"],
  [row(7, "none."), { comments: textSource(" \n") }, "the file of --comments is empty: expected SDN_COMMENTS.CSV"],
])("%j is refused as a whole", async (text, unsaid, why) => {
  await expect(imported("ofac-csv", text, unsaid)).rejects.toThrow(why);
});

const other = "0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97";
const tron = "TXFBqBbqJommqZf7BV8NNYzePh97UmJodJ";
const solana = "3PsJzQzV9tYGZ6gQoZq5VQZ4JCwtTjy715F7DdaRrcnR";
const addressesOf = (lines: readonly string[]) => lines.map((line) => line.split(",")[1]);

test.each([
  [`Digital Currency Address - ETH ${evm}, ${other}`, [evm, other]],
  [`Digital Currency Address - ETH ${evm} ${other};`, [evm, other]],
  [`Digital Currency Address - ETH ${evm} (alt ${other})`, [evm, other]],
  [`Digital Currency Address - ETH (alt ${evm}).`, [evm]],
  [`Digital  Currency Address -  ETH  ${evm}.`, [evm]],
  [`digital currency address - eth ${evm}`, [evm]],
  [`Digital Currency Address \u2013 ETH ${evm}`, [evm]],
  [`Digital Currency Address ETH ${evm}`, [evm]],
  [`Digital Currency Addresses: ETH: ${evm}`, [evm]],
  [`Digital Currency Address -ETH ${evm}`, [evm]],
  [`Digital Currency Address - ${evm}`, [evm]],
  [`Virtual Currency Address - XBT ${bitcoin}`, [bitcoin]],
  [`Digital Currency Address - XBT ${bitcoin} alt. Digital Currency Address - ETH ${evm}`, [bitcoin, evm]],
  [`Digital Currency Address - SOL ${solana}, 12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h`, [solana, bitcoin]],
  [`Website example.com; wallet ${evm} is theirs; Secondary sanctions risk`, [evm]],
  [`Website https://explorer.example/address/${evm}?a=${tron}.`, [evm, tron]],
  ["Wallet bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq.", ["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"]],
  ["Wallet qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a.", ["1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu"]],
])("every address of %s is imported", async (remarks, addresses) => {
  const { lines, refused } = await imported("ofac-csv", row(7, remarks));

  const written = addresses.map((address) => (address.startsWith("0x") ? address.toLowerCase() : address));
  expect(addressesOf(lines)).toEqual(written);
  expect(refused).toEqual([]);
});

const unsure = "1: address: text looks like an address, and tells no currency: list it by hand if it is one";

test.each([
  [`Wallet ${solana}.`, unsure],
  [`Wallet ${evm.slice(2)}.`, unsure],
  [`Wallet ${evm.slice(0, -1)}.`, "1: address: must have 40 hex digits after 0x, has 39"],
  [`Wallet ${tron.slice(0, -1)}K.`, expect.stringMatching(/^1: address: .*checksum/)],
  [
    `Digital Currency Address - ETH ${evm}, ${other.slice(0, -1)}.`,
    "1: address: must have 40 hex digits after 0x, has 39",
  ],
])("a possible address in %s is counted as refused", async (remarks, why) => {
  expect((await imported("ofac-csv", row(7, remarks))).refused).toEqual([why]);
});

test("an address outside of the remarks is found, and one in an unreadable row is refused", async () => {
  const text = `7,"EXAMPLE ${evm}",-0- ,"CYBER2",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- \r\n8,"DOE",${other}\r\n${row(9, "none.")}`;

  const { lines, refused } = await imported("ofac-csv", text);

  expect(addressesOf(lines)).toEqual([evm.toLowerCase()]);
  expect(refused).toEqual(["2: row: 3 cells where SDN.CSV has 12"]);
});

test.each([
  "Registration Number 91320000MA1XXXXX2K; SWIFT/BIC ABCDEFGH; Tax ID No. 30000000000000000000000000000",
  "Website www.averyveryverylongnameofsomecompanythatexists.example; alt. Website 0x.example",
  `Transaction 0x${"5a".repeat(32)}; Account ES9121000418450200051332`,
  `Digital Currency Address - XMR 44dZUJ7w1T3fKAvFW8XyXUVoAGSbFvXef2wcbnsjNKGWYorpLJBjth5VKSFhLGkpYKJb2J341tdZHBnbpv72WL7e8zuxfR2.`,
])("%s names no address of a screened chain", async (remarks) => {
  expect(await imported("ofac-csv", row(7, remarks))).toMatchObject({ lines: [], refused: [] });
});

test.each([
  ["BTT TA9SJtzNUWiU6JzyS3kEQuRHRkPsitspmo", "tron"],
  ["TRC20 TA9SJtzNUWiU6JzyS3kEQuRHRkPsitspmo", "tron"],
  ["USDT (TRC20) TA9SJtzNUWiU6JzyS3kEQuRHRkPsitspmo", "tron"],
  ["PYUSD 42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi", "solana"],
  ["USDC-SPL 42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi", "solana"],
])("the address in remarks with %s is imported", async (said, chain) => {
  const { lines, unscreened, refused } = await imported("ofac-csv", row(7, `Digital Currency Address - ${said};`));

  expect([lines.map((line) => line.split(",", 1)[0]), unscreened, refused]).toEqual([[chain], {}, []]);
});

test("an address in Solana's form for an unknown currency is refused by its line", async () => {
  const remarks = "Digital Currency Address - NEWCOIN 42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi;";
  const { refused } = await imported("ofac-csv", row(7, remarks));

  expect(refused).toEqual([expect.stringMatching(/^1: address: the currency NEWCOIN is not known/)]);
});
