import { expect, test } from "vitest";
import { classificationRule } from "../../../../../src/worker/decide/findings/classification.ts";
import { defaultPolicy } from "../../../../fakes/events.ts";
import { clean, subject } from "../../../../fakes/evidence.ts";

const { table } = defaultPolicy;
const find = (label: unknown) =>
  classificationRule({ ...clean.classification, classification: label }, { subject, table });

test.each(["ERC20", "Proxy", "EOA", "Unverified Contract", "verified"])("%s is a classification", (label) => {
  expect(find(label)).toEqual([]);
});

test.each([
  ["", "the service has no classification"],
  ["  ", "the service has no classification"],
  ["Unverified", "classification is Unverified"],
  ["unverified", "classification is unverified"],
  [" UNVERIFIED ", "classification is UNVERIFIED"],
  ["Not Verified", "classification is Not Verified"],
  ["not_verified", "classification is not_verified"],
  ["Unknown", "classification is Unknown"],
  ["unclassified", "classification is unclassified"],
  ["N/A", "classification is N/A"],
  ["-", "classification is -"],
])("%j is not a safe verdict", (label, detail) => {
  expect(find(label)).toEqual([{ finding: "unverified", severity: "WARN", detail }]);
});

test.each([
  "Phishing",
  "Phish / Hack",
  "Scam Token",
  "malicious_contract",
  "MONEY_LAUNDERING",
  "moneyLaundering",
  "blacklist_doubt",
  "Exploiter",
  "Honeypot",
  "Sanctioned entity",
  "High Risk",
  "Phishing (not verified)",
  "Scam - no source code",
  "Hack: no longer active",
  "Not verified: phishing",
  "Non-EVM bridge exploiter",
  "Not malicious, but a scam",
  "Hackers",
  "Drainers",
  "Exploiters",
  "Phishers",
  "Scammers",
  "Thieves",
  "Terrorists",
  "Poisoning",
  "Address Poisoner",
  "Impersonator",
  "impersonation",
  "Suspicious",
  "Mixer",
  "Tornado.Cash: Router",
  "TornadoCash",
  "OFAC",
  "Heist",
  "Pig Butchering",
  "Malware",
  "Illicit Actor",
  "Blocked",
  "blacklist",
  "Blacklisted",
  "black_listed",
])("%s accuses the address in any label", (label) => {
  for (const name of ["classification", "address_type", "verify_status"]) {
    const found = classificationRule({ ...clean.classification, [name]: label }, { subject, table });
    expect(found).toEqual([{ finding: "accusing_label", severity: "UNKNOWN", detail: `${name} is ${label}` }]);
  }
});

test.each([
  "Not Malicious",
  "Anti-Phishing Registry",
  "non-fraudulent",
  "non-phishing",
  "Anti-phishing service",
  "Not a scam",
  "Not a phishing scam",
  "no known exploit",
  "Not blacklisted",
  "not_on_blacklist",
  "not sanctioned",
  "No longer blocked",
  "Blocker",
  "Blockchain Bridge",
  "Block Builder",
  "Mixed",
  "Hackathon Fund",
  "BlacklistableERC20",
  "Scamorza",
  "Bridge",
  "Contract",
])("%s does not accuse the address", (label) => {
  expect(find(label)).toEqual([]);
});

test.each(["Unverified", "unverified", "not_a_contract", "", "pending"])(
  "verify_status %j says nothing about harm, because ordinary contracts have it",
  (verify_status) => {
    const data = { ...clean.classification, verify_status };

    expect(classificationRule(data, { subject, table })).toEqual([]);
  },
);

test.each([undefined, null, 7, ["ERC20"]])("the classification %j cannot be read", (label) => {
  expect(find(label)).toBeUndefined();
});

test.each([
  [["classification"], "classification"],
  [["classification", "a\u001b[2J"], "classification, a\uFFFD[2J"],
  ["classification", "classification"],
])("a label without evidence, named by %j, is UNKNOWN", (unknown, names) => {
  const data = { ...clean.classification, classification: "ERC20", unknown };

  expect(classificationRule(data, { subject, table })).toEqual([
    { finding: "unknown", severity: "UNKNOWN", detail: `the service has no evidence on ${names}` },
  ]);
});

test("an empty list of fields without evidence has no effect", () => {
  const data = { ...clean.classification, classification: "ERC20", unknown: [] };

  expect(classificationRule(data, { subject, table })).toEqual([]);
});

test("an unverified classification has the severity of its row", () => {
  const strict = { ...table, findings: { ...table.findings, classification: { unverified: "UNKNOWN" } as const } };
  const data = { ...clean.classification, classification: "" };

  expect(classificationRule(data, { subject, table: strict })?.[0]?.severity).toBe("UNKNOWN");
});
