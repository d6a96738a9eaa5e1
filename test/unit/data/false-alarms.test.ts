import { beforeAll, expect, test } from "vitest";
import { LabelFiles } from "../../../src/adapters/files/labels/label-files.ts";
import { type CanonicalAddress, parseAddress } from "../../../src/chains/address.ts";
import type { Family } from "../../../src/chains/chain.ts";
import { findChain } from "../../../src/chains/registry.ts";
import { bundled } from "../../../src/cli/program/package-root.ts";
import { seededRandom } from "../../../src/kernel/retry.ts";
import type { AddressLabel } from "../../../src/labels/label.ts";
import { gatherTarget, gatherToken } from "../../../src/service/address-poisoning/gather.ts";
import { judgeTarget, judgeToken } from "../../../src/service/address-poisoning/judge.ts";
import { UserAddresses } from "../../../src/service/address-poisoning/user-addresses.ts";
import { LabelBook } from "../../../src/service/labels/label-book.ts";
import { imitation, randomAddress } from "../../support/random-addresses.ts";

/** All bundled labels, as the service loads them. */
let book: LabelBook;
/** The labels of each file, by its name. */
let labelsByList: ReadonlyMap<string, readonly AddressLabel[]>;

beforeAll(async () => {
  const lists = await new LabelFiles(bundled.labels, bundled.labels).load();
  book = LabelBook.of(lists);
  labelsByList = new Map(
    lists.map(({ name, labels }) => [name.replace(/^.*\//, ""), [...labels].filter((label) => label.kind !== "site")]),
  );
});

const nobody = new UserAddresses([]);
const isPoisonedTarget = (label: Pick<AddressLabel, "chain" | "address">, users = nobody) =>
  judgeTarget(gatherTarget(label, users, book)).isPoisoning;
const isPoisonedToken = (label: Pick<AddressLabel, "chain" | "address">) =>
  judgeToken(gatherToken(label, book)).isPoisoning;

function chainOf(id: string) {
  const chain = findChain(id);
  if (chain === undefined) throw new Error(`no chain ${id}`);
  return chain;
}

test("no listed address counts as an imitation, as a token (Uniswap's factory begins like UNI) or as a target", () => {
  const labels = [...labelsByList.values()].flat();
  expect(labels.length).toBeGreaterThan(18_000);
  expect(labels.filter((label) => isPoisonedToken(label))).toEqual([]);
  expect(labels.filter((label) => isPoisonedTarget(label))).toEqual([]);
});

/** Well-known honest addresses that no list need hold: chosen by hand, ground for looks or low gas, or old. */
const famous = [
  "0x0000000000000000000000000000000000000000",
  "0x000000000000000000000000000000000000dead",
  "0x0000000000000000000000000000000000000001",
  "0x000000000000000000000000000000000000000a",
  "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
  "0x0000000000000000000000000000000000001010",
  "0x4200000000000000000000000000000000000006",
  "0x7777777777777777777777777777777777777777",
  "0x1234567890123456789012345678901234567890",
  "0xdeadbeefdeadbeefdeadbeefdeadbeefdeadbeef",
  "0x00000000219ab540356cbb839cbe05303d7705fa", // deposits of stakes
  "0x4e59b44847b379578588920ca78fbf26c0b4956c", // deterministic deployer
  "0xca11bde05977b3631167028862be2a173976ca11", // Multicall3
  "0x000000000022d473030f116ddee9f6b43ac78ba3", // Permit2
  "0x00000000006c3852cbef3e08e8df289169ede581", // an older Seaport
  "0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e", // registry of names
  "0x0000000071727de22e5e9d8baf0edac6f37da032", // entry points of accounts, the newer and the older
  "0x5ff137d4b0fdcd49dca30c7cf57e578a026d2789",
  "0x1111111254eeb25477b68fb85ed929f73a960582", // routers of 1inch, the older ones too
  "0x111111125421ca6dc452d289314280a0f8842a65",
  "0x1111111254fb6c44bac0bed2854e76f90643097d",
  "0x11111112542d85b3ef69ae05771c2dccff4faa26",
  "0xdef1c0ded9bec7f1a1670819833240f027b25eff",
  "0x6b75d8af000000e20b7a7ddf000ba900b4009a80", // an arbitrageur's address, with zeros for low gas
  "0x1f98431c8ad98523631ae4a59f267346ea31f984", // Uniswap's addresses, all ground to look similar
  "0xd8da6bf26964af9d7eed9e03e53415d37aa96045",
];

test.each(famous)("%s imitates no address, as a target or as a token", (text) => {
  const address = parseAddress("evm", text);
  if (!address.ok) throw new Error(address.detail);
  for (const id of ["1", "10", "56", "137", "8453", "42161"]) {
    expect(isPoisonedTarget({ chain: chainOf(id), address: address.value }), id).toBe(false);
    expect(isPoisonedToken({ chain: chainOf(id), address: address.value }), id).toBe(false);
  }
});

test.each([
  ["labels.csv", 3, 4],
  ["exchanges.csv", 3, 4],
  ["services.csv", 3, 4],
  ["clear-signing.csv", 3, 4],
  ["delegates.csv", 3, 4],
  ["known-well.csv", 4, 4],
  ["clear-signing-others.csv", 4, 4],
  ["known-others.csv", 4, 5],
])("every EVM address of %s is recognized behind an imitation of %i + %i digits", (list, prefix, suffix) => {
  const random = seededRandom(8);
  const evm = (labelsByList.get(list) ?? []).filter(({ chain }) => chain.family === "evm");
  const missed = evm.filter(({ chain, address, kind }) => {
    const fake = { chain, address: imitation("evm", address, { prefix, suffix }, random) };
    return !(kind === "token" ? isPoisonedToken(fake) : isPoisonedTarget(fake));
  });

  expect(evm.length).toBeGreaterThan(50);
  // An address that begins and ends with one repeated digit needs more equal digits.
  expect(missed.map(({ name }) => name).sort()).toEqual(ornate[list] ?? []);
});

/**
 * Names of such addresses. They are the tokens of Elk Finance and Cap, and similar ones, on chains with many listed
 * tokens. They are also tokens of launchpads: an imitation has the launchpad's ending, as all its tokens have.
 */
const ornate: Readonly<Record<string, readonly string[]>> = {
  "known-well.csv": [
    ...["CAP", "ELK", "ELK", "ELK", "ELK", "GFX", "ORA", "WABBIT", "ZKC", "cUSD", "stcUSD"],
    ...[
      "4",
      "AI",
      "AI",
      "B",
      "BONER",
      "CATME",
      "CLAWSTR",
      "CZ",
      "FAIR",
      "FINGERHEART",
      "INU",
      "KELLYCLAUDE",
      "LINEA",
      "MEME",
      "MOO",
      "PALU",
      "PEIPEI",
      "PUP",
      "SHADOW",
      "aLinwrsETH",
      "x33",
      "币安人生",
    ],
  ].toSorted(),
};

/**
 * Compares random texts in the form of addresses with 999 random users and all bundled labels. bench/false-alarms.ts
 * measures the probability on real addresses; this test notices when it grows.
 */
test.each([
  ["evm", "1", 1],
  ["tron", "tron", 0],
  // Two of the findings resemble a user each, and one resembles Switchboard's program, SW1T...f.
  ["solana", "solana", 3],
] as const)("of 200,000 random addresses of %s as targets and tokens, few are false alarms", (family, id, alarms) => {
  const random = seededRandom(999);
  const chain = chainOf(id);
  const subjectOf = (address: CanonicalAddress) => ({ chain, address });
  const users = new UserAddresses(
    Array.from({ length: 999 }, () => subjectOf(randomAddress(family as Family, random))),
  );
  let count = 0;
  for (let i = 0; i < 200_000; i++) {
    const subject = subjectOf(randomAddress(family as Family, random));
    if (isPoisonedTarget(subject, users) || isPoisonedToken(subject)) count++;
  }
  expect(count).toBe(alarms);
});
