import { expect, test } from "vitest";
import { parseLabelRow } from "../../../../src/labels/import/label-row.ts";

const exchange = {
  chain: "1",
  address: "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91",
  name: "Deposit",
  kind: "exchange",
};

test("a row becomes a label with its canonical address; unknown columns are ignored", () => {
  const parsed = parseLabelRow({ ...exchange, risk_level: "3", source: "somewhere", licence: "CC0" });

  expect(parsed).toMatchObject({
    ok: true,
    value: {
      kind: "exchange",
      chain: { id: "1", family: "evm" },
      address: "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91",
      name: "Deposit",
      riskLevel: 3,
    },
  });
});

test.each(["evm", "EVM", " evm "])("the chain %j means every chain of the family", (chain) => {
  expect(parseLabelRow({ ...exchange, chain })).toMatchObject({
    ok: true,
    value: { chain: { id: "1", family: "evm" }, everywhere: true },
  });
});

test("a row that names its chain holds there, and counts as original elsewhere when its list says so", () => {
  const [own, family] = [parseLabelRow(exchange), parseLabelRow(exchange, "family")];

  expect(own.ok && "everywhere" in own.value).toBe(false);
  expect(family).toMatchObject({ ok: true, value: { chain: { id: "1" }, originalInFamily: true } });
  expect(family.ok && "everywhere" in family.value).toBe(false);
});

test("a token belongs to one chain", () => {
  const token = { ...exchange, kind: "token" };
  const parsed = parseLabelRow(token, "family");

  expect(parsed.ok && "originalInFamily" in parsed.value).toBe(false);
  expect(parseLabelRow({ ...token, chain: "evm" })).toEqual({
    ok: false,
    detail: "chain: a token is of one chain, not of all of evm",
  });
});

test("numbers count as their text, and text is trimmed", () => {
  const parsed = parseLabelRow({ ...exchange, chain: 1, name: "  Deposit ", kind: " bridge", risk_level: 0 });

  expect(parsed).toMatchObject({ ok: true, value: { kind: "bridge", name: "Deposit", riskLevel: 0 } });
});

test("without a risk level the label has none", () => {
  for (const row of [exchange, { ...exchange, risk_level: "" }, { ...exchange, risk_level: null }]) {
    const parsed = parseLabelRow(row);
    expect(parsed.ok && "riskLevel" in parsed.value).toBe(false);
  }
});

test.each([0, 1, 2, 3, 4, 5])("risk level %i is read as a number and as its text", (riskLevel) => {
  for (const risk_level of [riskLevel, String(riskLevel)]) {
    expect(parseLabelRow({ ...exchange, risk_level })).toMatchObject({ ok: true, value: { riskLevel } });
  }
});

test.each([[5], [[5]], true, false, "5 ", " ", "05", "+5", "5.0", 5.5, {}, { value: 5 }, Number.NaN])(
  "risk level %j is refused",
  (risk_level) => {
    expect(parseLabelRow({ ...exchange, risk_level })).toEqual({
      ok: false,
      detail: "risk_level: must be an integer from 0 to 5, or empty",
    });
  },
);

test.each(["chain", "address", "name", "kind"])("%s must be text or a number, for a site too", (column) => {
  for (const value of [{}, [], ["1"], true, false]) {
    const detail = `${column}: must be text or a number`;
    const site = { chain: "", address: "a.example", name: "Phishing", kind: "site" };

    expect(parseLabelRow({ ...exchange, [column]: value })).toEqual({ ok: false, detail });
    expect(parseLabelRow({ ...site, [column]: value })).toEqual({ ok: false, detail });
  }
});

test("for a site the chain may be absent, null or empty", () => {
  for (const chain of [undefined, null, "", " "]) {
    expect(parseLabelRow({ chain, address: "a.example", name: "Phishing", kind: "site" })).toMatchObject({ ok: true });
  }
});

test("a site is a host in lower case without a chain", () => {
  const parsed = parseLabelRow({ chain: "", address: "App.Example.ORG", name: "Phishing", kind: "site" });

  expect(parsed).toEqual({ ok: true, value: { kind: "site", host: "app.example.org", name: "Phishing" } });
});

test.each([
  [
    { ...exchange, kind: "wallet" },
    /^kind: must be one of exchange, bridge, protocol, token, delegate, sanctioned, malicious, blocked, allowed, site$/,
  ],
  [{ ...exchange, kind: undefined }, /^kind: missing$/],
  [{ ...exchange, kind: " " }, /^kind: missing$/],
  [{ ...exchange, name: " " }, /^name: missing$/],
  [{ ...exchange, name: "x".repeat(201) }, /^name: longer than 200 characters$/],
  [{ ...exchange, chain: "" }, /^chain: missing$/],
  [{ ...exchange, chain: null }, /^chain: missing$/],
  [{ ...exchange, chain: "foo" }, /^chain: unknown chain foo$/],
  [{ ...exchange, address: "" }, /^address: /],
  [{ ...exchange, address: "0xD9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91" }, /^address: .*checksum/],
  [{ ...exchange, risk_level: "6" }, /^risk_level: must be an integer from 0 to 5, or empty$/],
  [{ ...exchange, risk_level: -1 }, /^risk_level: /],
  [{ ...exchange, risk_level: "2.0" }, /^risk_level: /],
  [{ ...exchange, risk_level: "high" }, /^risk_level: /],
  [{ ...exchange, chain: "1", kind: "site" }, /^chain: must be empty for a site$/],
  ...[
    "https://a.example",
    "a.example/login",
    "a.example:8080",
    "localhost",
    "a..example",
    "-a.example",
    "a b.example",
  ].map((address) => [{ ...exchange, chain: "", address, kind: "site" }, /^address: must be a host name/] as const),
] as const)("%j is refused, and the failure names the column", (row, detail) => {
  const parsed = parseLabelRow(row);

  expect(parsed).toMatchObject({ ok: false, detail: expect.stringMatching(detail) });
});
