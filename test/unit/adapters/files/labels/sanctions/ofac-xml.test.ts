import { expect, test } from "vitest";
import { listFormats } from "../../../../../../src/adapters/files/labels/formats/list-formats.ts";
import { heapUsed } from "../../../../../support/heap-used.ts";
import { imported, sample, textSource } from "../../../../../support/list-source.ts";

test("SDN_ADVANCED.XML: addresses by their features, names of the primary alias, programs and days of the entry", async () => {
  expect(await imported("ofac-xml", await sample("sdn-advanced.xml"))).toMatchObject({
    lines: [
      'bitcoin,12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h,DOE & ROE Example,sanctioned,,,"DPRK3, CYBER2",OFAC uid 90001; XBT; listed 2022-04-14,2026-11-20',
      'evm,0x098b716b8aaf21512996dc57eb0615e2383e2f96,DOE & ROE Example,sanctioned,,,"DPRK3, CYBER2",OFAC uid 90001; ETH; listed 2022-04-14,2026-11-20',
      'bitcoin,1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu,DOE & ROE Example,sanctioned,,,"DPRK3, CYBER2",OFAC uid 90001; BCH; listed 2022-04-14; published as qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a,2026-11-20',
      'tron,TXFBqBbqJommqZf7BV8NNYzePh97UmJodJ,DOE & ROE Example,sanctioned,,,"DPRK3, CYBER2",OFAC uid 90001; USDT; listed 2022-04-14,2026-11-20',
      "evm,0x7f367cc41522ce07553e823bf3be79a889debe1b,EXAMPLE MIXER,sanctioned,,,CYBER2,OFAC uid 90002; ETH; listed 2022-05-06,2026-11-20",
    ],
    refused: ["74: address: must have 40 hex digits after 0x, has 39"],
    unscreened: { XMR: 1 },
  });
});

test("SDN.XML: addresses among the identity documents, the last name first", async () => {
  expect(await imported("ofac-xml", await sample("sdn.xml"))).toMatchObject({
    lines: [
      'bitcoin,12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h,"DOE, Example",sanctioned,,,"DPRK3, CYBER2",OFAC uid 90001; XBT,2026-11-20',
    ],
    refused: [],
    unscreened: { LTC: 1 },
  });
});

test.each([
  ["sdn-advanced.xml", "<Month>11</Month>", "<Month>13</Month>"],
  ["sdn.xml", "11/20/2026", "20 Nov 2026"],
])("an invalid day of issue in %s loses no address: the column is empty", async (file, day, other) => {
  const { lines } = await imported("ofac-xml", (await sample(file)).replace(day, other));

  expect(lines[0]).toMatch(/^bitcoin,12Qt.*,$/);
});

const wallets = [
  "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h",
  "0x098b716b8aaf21512996dc57eb0615e2383e2f96",
  "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu",
  "TXFBqBbqJommqZf7BV8NNYzePh97UmJodJ",
  "0x7f367cc41522ce07553e823bf3be79a889debe1b",
];
const solana = "3PsJzQzV9tYGZ6gQoZq5VQZ4JCwtTjy715F7DdaRrcnR";

test.each([
  ["named in another case", "Digital Currency Address - ETH", "digital currency ADDRESS - ETH"],
  ["named with another dash", "Digital Currency Address - ETH", "Digital Currency Address \u2013 ETH"],
  ["named without a currency", "Digital Currency Address - ETH", "Digital Currency Address"],
  ["named otherwise", "Digital Currency Address - ETH", "Wallet"],
  ["not defined", /<FeatureType ID="345".*?<\/FeatureType>/, ""],
  ["with words around the address", ">0x098B", ">wallet: 0x098B"],
])("a feature type that is %s loses no address", async (_how, from, to) => {
  const { lines, refused } = await imported("ofac-xml", (await sample("sdn-advanced.xml")).replace(from, to));

  expect(lines.map((line) => line.split(",")[1])).toEqual(wallets);
  expect(refused).toEqual(["74: address: must have 40 hex digits after 0x, has 39"]);
});

test.each([
  [
    "beside another in its feature",
    ">0x098B716B8Aaf21512996dC57EB0615e2383E2f96<",
    ">0x098B716B8Aaf21512996dC57EB0615e2383E2f96, 0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97<",
  ],
  [
    "in the remark of a party",
    "<Comment />\n      <Profile",
    "<Comment>see 0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97</Comment>\n      <Profile",
  ],
])("an address %s is imported", async (_where, from, to) => {
  const { lines } = await imported("ofac-xml", (await sample("sdn-advanced.xml")).replace(from, to));

  expect(lines.map((line) => line.split(",")[1]).toSorted()).toEqual(
    [...wallets, "0x4838b106fce9647bdf1e7877bf73ce8b0bad5f97"].toSorted(),
  );
});

const unsure = "text looks like an address, and tells no currency: list it by hand if it is one";

test.each([
  ["sdn-advanced.xml", "<Comment />", `<Comment>${solana}</Comment>`, unsure],
  [
    "sdn-advanced.xml",
    "<DistinctParties>",
    `<Other>0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97</Other><DistinctParties>`,
    "text outside of every party looks like an address",
  ],
  ["sdn.xml", "<lastName>", `<remarks>${solana}</remarks><lastName>`, unsure],
])("a possible address in other text of %s is refused: %s", async (file, from, to, why) => {
  const { refused } = await imported("ofac-xml", (await sample(file)).replace(from, to));

  expect(refused).toContainEqual(expect.stringContaining(why));
});

test("an address in the remarks of SDN.XML, or in another document, is imported", async () => {
  const text = await sample("sdn.xml");
  const remarked = text.replace(
    "<lastName>",
    "<remarks>0x4838B106FCe9647Bdf1E7877BF73cE8B0BAD5f97</remarks><lastName>",
  );

  expect((await imported("ofac-xml", remarked)).lines[0]).toMatch(/^evm,0x4838b106/);
  expect((await imported("ofac-xml", text.replace("Digital Currency Address - XBT", "Wallet"))).lines).toHaveLength(1);
});

test("a party without an entry on the list keeps its addresses", async () => {
  const text = (await sample("sdn-advanced.xml")).replace(/<SanctionsEntry ID="90002"[\s\S]*?<\/SanctionsEntry>/, "");

  const { lines } = await imported("ofac-xml", text);

  expect(lines.at(-1)).toBe(
    "evm,0x7f367cc41522ce07553e823bf3be79a889debe1b,EXAMPLE MIXER,sanctioned,,,,OFAC uid 90002; ETH,2026-11-20",
  );
});

test("an address is returned with its entry, before the rest of the document is read", async () => {
  const text = await sample("sdn.xml");
  const end = text.indexOf("</sdnEntry>") + "</sdnEntry>".length;
  const source = {
    ...textSource(text),
    async *pieces() {
      yield text.slice(0, end);
      throw new Error("read on");
    },
  };

  const entries = listFormats["ofac-xml"](source);

  expect((await entries.next()).value).toMatchObject({ row: { address: "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h" } });
});

const deep = "<a>".repeat(65);

test.each([
  ["cut off", '<Sanctions xmlns="x"><DistinctParties><DistinctParty FixedRef="1">', "it is cut off"],
  ["of another root", "<html><body/></html>", "its outermost element is html: take SDN_ADVANCED.XML"],
  ["not well-formed", "<Sanctions><a></b></Sanctions>", "1:"],
  ["with a DOCTYPE", '<!DOCTYPE a [<!ENTITY x "y">]><Sanctions>&x;</Sanctions>', "it has a DOCTYPE"],
  ["with an entity of its own", "<Sanctions>&x;</Sanctions>", "entity"],
  ["too deep", `<Sanctions>${deep}`, "nest deeper than 64"],
  ["empty", "", "it is cut off"],
])("a document that is %s is refused as a whole", async (_what, text, why) => {
  await expect(imported("ofac-xml", text)).rejects.toThrow(why);
});

test("text without an end is refused before it fills the memory", async () => {
  let pieces = 0;
  const source = {
    ...textSource(""),
    async *pieces() {
      yield "<Sanctions><Comment>";
      for (;;) {
        pieces++;
        yield "x".repeat(2 ** 20);
      }
    },
  };

  await expect(Array.fromAsync(listFormats["ofac-xml"](source))).rejects.toThrow("characters without a tag");
  expect(pieces).toBeLessThan(10);
});

test("parties that wait for their entry keep only their own texts in memory", async () => {
  const filler = "x".repeat(2 ** 17);
  let before = 0;
  let after = 0;
  const source = {
    ...textSource(""),
    async *pieces() {
      yield `<Sanctions><FeatureType ID="344">Digital Currency Address - ETH</FeatureType>`;
      before = await heapUsed();
      for (let i = 0; i < 200; i++) {
        const address = `0x${String(i).padStart(40, "0")}`;
        const name = `<Identity Primary="true"><Alias Primary="true"><DocumentedName><NamePartValue>A name of some length ${i}</NamePartValue></DocumentedName></Alias></Identity>`;
        const feature = `<Feature FeatureTypeID="344"><VersionDetail>${address}</VersionDetail></Feature>`;
        yield `<DistinctParty FixedRef="1234567890123456${i}"><Comment>${filler}</Comment>${name}${feature}</DistinctParty>`;
      }
      after = await heapUsed();
      yield "</Sanctions>";
    },
  };

  const entries = await Array.fromAsync(listFormats["ofac-xml"](source));
  expect(entries.filter((entry) => "row" in entry).length).toBe(200);
  // Each comment is longer than the read part of a text.
  expect(entries.filter((entry) => "unreadable" in entry).length).toBe(200);
  expect(after - before).toBeLessThan(2_000_000);
});

test.each(["sdn-advanced.xml", "sdn.xml"])(
  "a text in %s that is too long to be read whole is refused by its line",
  async (file) => {
    const text = await sample(file);
    const remark = (length: number) =>
      text.replace(/(<\/(?:\w+:)?\w+>\s*)$/, `<Remark>${"word ".repeat(length / 5)}</Remark>$1`);
    const whole = await imported("ofac-xml", remark(10_000));
    const cut = await imported("ofac-xml", remark(20_000));

    const reason = expect.stringMatching(/^\d+: row: text longer than 10000 characters is read up to there/);
    expect(cut.refused).toEqual([...whole.refused, reason]);
    expect(cut.lines).toEqual(whole.lines);
  },
);
