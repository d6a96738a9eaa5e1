import { expect, test } from "vitest";
import { mayAccuse, refusedRow } from "../../../../src/labels/import/refused-row.ts";

const refused = (cells: object) =>
  refusedRow({ line: 3, row: { chain: "1", address: "0x", name: "A", ...cells } }, "why");

const accusing = [
  ...[
    "sanctoined",
    "blacklisted",
    "malware",
    "scam",
    "Scammer",
    "phishing",
    "hack",
    "Hacker",
    "ofac",
    "OFAC SDN",
    "frozen",
  ],
  ...[
    "terrorist financing",
    "terrorism_financing",
    "stolen",
    "stolen funds",
    "exploit",
    "exploiter",
    "ransomware",
    "drainer",
  ],
  ...[
    "wallet drainer",
    "illicit",
    "darknet",
    "dark-market",
    "fraud",
    "wallet/scam",
    "knownScam",
    "dark web",
    "DARKNET",
    "theft",
    "laundering",
  ],
] as const;

test.each(accusing)("a refused row of kind %s accuses", (kind) => {
  expect(refused({ kind })).toEqual({ line: 3, detail: "why", accuses: true });
});

test.each(["scam", "phishing", "Ransomware", '"terrorist financing"', "stolen funds", "blacklisted", "Sanctioned"])(
  "an unreadable line with a cell %s may accuse",
  (cell) => {
    expect(mayAccuse(["1", "0x", cell], false)).toBe(true);
  },
);

test.each(["high", "HIGH", "severe", "critical", "very high", "extreme", "high risk", "5.0", "4/5", "100", "scam"])(
  "a refused row of risk %s accuses, whatever its kind is",
  (risk) => {
    expect(refused({ kind: "wallet", risk_level: risk })).toEqual({ line: 3, detail: "why", accuses: true });
  },
);

test.each(["severe", "high", "critical", "4"])("a cell %s accuses where the file has risks", (cell) => {
  expect(mayAccuse([cell], true)).toBe(true);
  expect(mayAccuse([cell], false)).toBeUndefined();
});

test.each(["wallet", "dex", "nft", "token sale", "exchange", "bank", "mixer", "staking", "", undefined])(
  "a refused row of kind %s accuses no address",
  (kind) => {
    expect(refused({ kind })).toEqual({ line: 3, detail: "why" });
    expect(refused({ kind, risk_level: "low" })).toEqual({ line: 3, detail: "why" });
  },
);

test("a name that mentions a crime is no accusation, because a line of wrong cells does not show which cell is the kind", () => {
  expect(mayAccuse(["1", "0x", "Fund for victims of the hack", "Blockchain.com", "protocol"], true)).toBeUndefined();
});
