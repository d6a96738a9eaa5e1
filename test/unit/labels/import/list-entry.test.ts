import { expect, test } from "vitest";
import { listEntry } from "../../../../src/labels/import/list-entry.ts";

const evm = "0x098B716B8Aaf21512996dC57EB0615e2383E2f96";

test("an address becomes a row of the chain that its form implies", () => {
  const listing = { name: " A\n B ", kind: "sanctioned", programs: ["P1", "P2", "P1"], remarks: ["uid 1", "", "ETH"] };

  expect(listEntry(3, ` ${evm} `, { currency: "ETH" }, listing)).toEqual({
    line: 3,
    row: { chain: "evm", address: evm, name: "A B", kind: "sanctioned", program: "P1, P2", note: "uid 1; ETH" },
  });
});

test("a chain in the file is used instead of the form", () => {
  expect(listEntry(3, evm, { chain: "tron" }, { name: "A", kind: "blocked" })).toMatchObject({
    row: { chain: "tron", address: evm },
  });
});

test("texts that are too long end in an ellipsis, and no character is halved", () => {
  const listing = { name: "😀".repeat(101), kind: "k", programs: ["P".repeat(201)], remarks: ["n".repeat(501)] };

  expect(listEntry(1, evm, {}, listing)).toMatchObject({
    row: { name: `${"😀".repeat(99)}…`, program: `${"P".repeat(199)}…`, note: `${"n".repeat(499)}…` },
  });
  expect(listEntry(1, evm, {}, { name: "n".repeat(200), kind: "k" })).toMatchObject({ row: { name: "n".repeat(200) } });
});
