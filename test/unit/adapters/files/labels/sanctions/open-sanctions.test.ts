import { expect, test } from "vitest";
import { listFormats } from "../../../../../../src/adapters/files/labels/formats/list-formats.ts";
import { imported, sample, textSource } from "../../../../../support/list-source.ts";

const evm = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";
const wallet = (properties: object) =>
  `${JSON.stringify({ id: "w", caption: evm, schema: "CryptoWallet", datasets: ["d"], properties: { publicKey: [evm], ...properties } })}\n`;

test("wallets with the names, programs and days of their holders, before and behind them", async () => {
  expect(await imported("opensanctions", await sample("entities.ftm.json"))).toMatchObject({
    lines: [
      'bitcoin,12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h,Example Group,sanctioned,,,"US-CYBER2, US-DPRK3",OpenSanctions ofac-wallet-1; XBT; listed 2022-04-14; us_ofac_sdn,2026-11-27',
      `evm,${evm.toLowerCase()},Example Doe,sanctioned,,,,"OpenSanctions ofac-wallet-2; ETH; us_ofac_sdn, il_mod_crypto",`,
      "bitcoin,1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu,Example Locker,malicious,,,,OpenSanctions ransom-wallet; BTC; ransomwhere,",
    ],
    refused: ["6: kind: none of the topics tells it: role.pep"],
    unscreened: { XMR: 1 },
  });
});

test.each([
  [["sanction"], "sanctioned"],
  [["sanction.linked"], "sanctioned"],
  [["crime.fin", "sanction.counter"], "sanctioned"],
  [["crime"], "malicious"],
  [["crime.terror"], "malicious"],
  [["wanted"], "malicious"],
])("topics %j make %s, whatever the value of --kind is", async (topics, kind) => {
  const { lines } = await imported("opensanctions", wallet({ topics }), { kind: "blocked" });

  expect(lines).toEqual([`evm,${evm.toLowerCase()},${kind} wallet,${kind},,,,OpenSanctions w; d,`]);
});

test.each([[["role.pep"]], [["sanctioned"]], [[]]])("topics %j decide no kind, and --kind does", async (topics) => {
  const { lines } = await imported("opensanctions", wallet({ topics }), { kind: "blocked" });

  expect(lines).toEqual([`evm,${evm.toLowerCase()},blocked wallet,blocked,,,,OpenSanctions w; d,`]);
  expect(await imported("opensanctions", wallet({ topics }))).toMatchObject({
    lines: [],
    refused: [expect.stringMatching(/^1: kind: /)],
  });
});

test("a sanction on the wallet itself decides its program and day", async () => {
  const sanction = { entity: ["w"], program: ["CYBER2"], startDate: ["2022-05-06"] };
  const text = `${wallet({ topics: ["sanction"] })}${JSON.stringify({ id: "s", schema: "Sanction", properties: sanction })}\n`;

  const { lines } = await imported("opensanctions", text);

  expect(lines).toEqual([
    `evm,${evm.toLowerCase()},sanctioned wallet,sanctioned,,,CYBER2,OpenSanctions w; listed 2022-05-06; d,`,
  ]);
});

test("holders that are nested in a wallet, as in targets.nested.json", async () => {
  const holder = { id: "p", schema: "Person", caption: "Example Doe", properties: { topics: ["sanction"] } };

  const { lines } = await imported("opensanctions", wallet({ holder: [holder] }));

  expect(lines).toEqual([`evm,${evm.toLowerCase()},Example Doe,sanctioned,,,,OpenSanctions w; d,`]);
});

const target = (properties: object, others: object = {}) =>
  `${JSON.stringify({ id: "p", caption: "Example Doe", schema: "Person", datasets: ["d"], properties, ...others })}\n`;
const nested = { id: "w", caption: evm, schema: "CryptoWallet", datasets: ["d"], properties: { publicKey: [evm] } };

test("wallets that are nested in their owner, as in targets.nested.json, belong to the owner", async () => {
  const other = {
    ...nested,
    id: "w2",
    properties: { publicKey: ["12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h"], currency: ["XBT"] },
  };
  const sanctions = [{ id: "s", schema: "Sanction", properties: { program: ["CYBER2"], startDate: ["2022-05-06"] } }];

  const { lines, refused } = await imported(
    "opensanctions",
    target({ topics: ["sanction"], sanctions, cryptoWallets: [nested, "w3", other] }),
  );

  expect(lines).toEqual([
    `evm,${evm.toLowerCase()},Example Doe,sanctioned,,,CYBER2,OpenSanctions w; listed 2022-05-06; d,`,
    "bitcoin,12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h,Example Doe,sanctioned,,,CYBER2,OpenSanctions w2; XBT; listed 2022-05-06; d,",
  ]);
  expect(refused).toEqual([]);
});

test("a wallet at a deeper level belongs to the entity around it, which decides its kind", async () => {
  const company = { id: "c", schema: "Company", caption: "Example Ltd", properties: { cryptoWallets: [nested] } };
  const owned = { id: "o", schema: "Ownership", properties: { asset: [company] } };

  const { lines, refused } = await imported("opensanctions", target({ topics: ["sanction"], ownershipOwner: [owned] }));

  expect([lines, refused]).toEqual([[], ["1: kind: missing"]]);
});

test("a wallet that is listed in its owner, with its holder, and alone counts once", async () => {
  const text = target({ topics: ["sanction"], cryptoWallets: [nested] }) + wallet({ holder: ["p"] });

  expect(await imported("opensanctions", text)).toMatchObject({
    lines: [`evm,${evm.toLowerCase()},Example Doe,sanctioned,,,,OpenSanctions w; d,`],
    tally: { givenTwice: 1, refused: 0 },
  });
});

test.each([
  [{ last_seen: "2026-11-27T06:00:00", last_change: "2024-01-01T00:00:00" }, "2026-11-27"],
  [{ last_change: "2024-01-01T00:00:00" }, "2024-01-01"],
  [{ last_seen: "lately" }, ""],
])("the day of a wallet of %j is %j", async (stamps, day) => {
  const entity = JSON.parse(wallet({ topics: ["sanction"] }));

  const { lines } = await imported("opensanctions", `${JSON.stringify({ ...entity, ...stamps })}\n`);

  expect(lines).toEqual([`evm,${evm.toLowerCase()},sanctioned wallet,sanctioned,,,,OpenSanctions w; d,${day}`]);
});

test.each([
  [{ publicKey: [], accountId: [evm] }, [evm.toLowerCase()]],
  [{ publicKey: [evm], accountId: ["100200300"] }, [evm.toLowerCase()]],
  [
    { publicKey: [evm], accountId: [evm, "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h"] },
    [evm.toLowerCase(), "12QtD5BFwRsdNsAZY76UVE1xyCGNTojH9h"],
  ],
])("an address in accountId counts, a number does not: %j", async (properties, addresses) => {
  const { lines, refused } = await imported("opensanctions", wallet({ topics: ["sanction"], ...properties }));

  expect([lines.map((line) => line.split(",")[1]), refused]).toEqual([addresses, []]);
});

test("a wallet with only an account number is refused by its line", async () => {
  const text = wallet({ topics: ["sanction"], publicKey: [], accountId: ["100200300"] });

  expect((await imported("opensanctions", text)).refused).toEqual([
    "1: row: a wallet without an address in publicKey or accountId",
  ]);
});

test.each([
  ["around it", target({ topics: ["sanction"], cryptoWallets: [nested] }, { last_seen: "2026-11-27" })],
  [
    "within it",
    wallet({ holder: [{ id: "p", schema: "Person", properties: { topics: ["sanction"] }, last_seen: "2026-11-27" }] }),
  ],
  ["elsewhere", wallet({ holder: ["p"] }) + target({ topics: ["sanction"] }, { last_seen: "2026-11-27" })],
])("a wallet without a day has the day of its holder: %s", async (_where, text) => {
  const { lines } = await imported("opensanctions", text);

  expect(lines.map((line) => line.split(",").at(-1))).toEqual(["2026-11-27"]);
});

test("a wallet without an address, and one that is not JSON, are refused by their lines", async () => {
  const text = `${wallet({ topics: ["sanction"] })}${wallet({ publicKey: [] })}{"id":"x","schema":"CryptoWallet",\n`;

  expect(await imported("opensanctions", text)).toMatchObject({
    lines: [expect.stringContaining(evm.toLowerCase())],
    refused: ["2: row: a wallet without an address in publicKey or accountId", "3: row: is no entity in JSON"],
  });
});

test.each([
  ["chain,address\n1,2\n", "its first line is no entity"],
  ['{"tokens":[]}\n', "its first line is no entity"],
  [`${wallet({})}{"id":"NK-1","schema":"Per`, "line 2 is cut off"],
])("%j is refused as a whole", async (text, why) => {
  await expect(imported("opensanctions", text)).rejects.toThrow(why);
});

test("a pipe, which can be read once only, is refused", async () => {
  const entries = listFormats["opensanctions"](textSource(wallet({}), 7, false), {});

  await expect(entries.next()).rejects.toThrow("opensanctions is read three times: name a file, no pipe");
});

test.each([["USDT-TRC20"], ["USDT (TRC20)"], ["BTT"], ["NEWCOIN"]])(
  "a TRON address that is published for %s is imported",
  async (currency) => {
    const properties = {
      publicKey: ["TA9SJtzNUWiU6JzyS3kEQuRHRkPsitspmo"],
      currency: [currency],
      topics: ["sanction"],
    };
    const { lines, unscreened } = await imported("opensanctions", wallet(properties));

    expect(lines).toEqual([expect.stringMatching(/^tron,TA9SJtzNUWiU6JzyS3kEQuRHRkPsitspmo,/)]);
    expect(unscreened).toEqual({});
  },
);

test("each of several currencies may decide the chain", async () => {
  const publicKey = ["42RLPACwZPx3vYYmxSueqsogfynBDqXK298EDsNoyoHi"];
  const { lines } = await imported(
    "opensanctions",
    wallet({ publicKey, currency: ["XMR", "SOL"], topics: ["sanction"] }),
  );

  expect(lines).toEqual([expect.stringMatching(/^solana,.*OpenSanctions w; XMR, SOL; d/)]);
});
