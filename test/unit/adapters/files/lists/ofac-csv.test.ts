import { expect, test } from "vitest";
import { imported, sample, textSource } from "../../../../support/list-source.ts";

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

test("long remarks go on in the file of comments, cut anywhere, within an address too", async () => {
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

test("without the file of comments, remarks that are cut off are said", async () => {
  const { lines, refused } = await imported("ofac-csv", row(7, long));

  expect(lines).toEqual([]);
  expect(refused).toContain(
    "1: row: remarks are cut off and may have named more addresses: add --comments SDN_COMMENTS.CSV, or take SDN_ADVANCED.XML",
  );
});

test("what names an address and cannot be read is refused by its line", async () => {
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
])("a last row that is cut off %s refuses the file, and names the line", async (_where, length, why) => {
  const text = `${row(7, `Digital Currency Address - ETH ${evm}.`)}${whole.slice(0, length)}`;

  await expect(imported("ofac-csv", text)).rejects.toThrow(`line 2 is cut off (${why}): get the file again in full`);
});

test("a last row without a line break is whole, and so is one in front of the end-of-file character", async () => {
  for (const end of ["", "\r\n", "\r\n\u001a"]) {
    const text = `${row(7, `Digital Currency Address - ETH ${evm}.`)}${whole.trimEnd()}${end}`;

    expect((await imported("ofac-csv", text)).lines).toHaveLength(1);
  }
});

test("a file of comments that is cut off refuses the file, and names the line", async () => {
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
])("%j is refused whole", async (text, unsaid, why) => {
  await expect(imported("ofac-csv", text, unsaid)).rejects.toThrow(why);
});
