import { expect, test } from "vitest";
import { parseAddress } from "../../../../src/chains/address.ts";
import { findChain } from "../../../../src/chains/registry.ts";
import { labelLine } from "../../../../src/cli/labels/label-report.ts";

const address = parseAddress("evm", "0x7F367cC41522cE07553e823bf3be79A889DEbe1B");
const chain = findChain("eth");
if (!address.ok || chain === undefined) throw new Error("no address");
const label = { kind: "sanctioned", chain, address: address.value, name: "EXAMPLE MIXER" } as const;
const is = "is sanctioned EXAMPLE MIXER on Ethereum: 0x7F367cC41522cE07553e823bf3be79A889DEbe1B";

test.each([
  [{}, is],
  [{ program: "CYBER2" }, `${is}; program CYBER2`],
  [{ note: "OFAC uid 90002; ETH" }, `${is}; note: OFAC uid 90002; ETH`],
  [{ program: "CYBER2", note: "OFAC\u001b" }, `${is}; program CYBER2; note: OFAC\uFFFD`],
])("the line of a label with %j has these values", (more, line) => {
  expect(labelLine("is", { ...label, ...more })).toBe(line);
});
