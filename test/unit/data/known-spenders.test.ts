import { readFileSync } from "node:fs";
import { beforeAll, expect, test } from "vitest";
import { LabelFiles } from "../../../src/adapters/files/labels/label-files.ts";
import { parseAddress } from "../../../src/chains/address.ts";
import { toChecksumAddress } from "../../../src/chains/evm/evm-address.ts";
import { findChain } from "../../../src/chains/registry.ts";
import { bundled } from "../../../src/cli/program/package-root.ts";
import { LabelBook } from "../../../src/service/labels/label-book.ts";
import { knownSpenders } from "../../fixtures/evm/known-spenders.ts";
import { ALL, me } from "../../fixtures/evm-people.ts";
import { calldata } from "../../support/evm-calls.ts";
import { inProcessService } from "../../support/in-process-service.ts";

let book: LabelBook;

beforeAll(async () => {
  book = LabelBook.of(await new LabelFiles(bundled.labels, bundled.labels).load());
});

function subjectOf(id: string, text: string) {
  const chain = findChain(id);
  const address = parseAddress("evm", text);
  if (chain === undefined || !address.ok) throw new Error(`${id} ${text}`);
  return { chain, address: address.value };
}

test("the bundled labels vouch for the best known spenders, but for three whose addresses one page alone states", () => {
  const unknown = knownSpenders.filter(([id, text]) => {
    const { chain, address } = subjectOf(id, text);
    return !book.vouchesFor(chain, address, "protocol", "bridge");
  });

  expect(knownSpenders.length).toBe(70);
  expect(unknown.map(([, , name]) => name)).toEqual(["Synapse bridge", "Socket gateway", "Relay approval proxy"]);
});

test("each spender is written once a chain, with its EIP-55 checksum and a page", () => {
  const keys = knownSpenders.map(([id, text]) => `${id} ${text}`);

  expect(new Set(keys).size).toBe(keys.length);
  for (const [id, text, name, source] of knownSpenders) {
    expect(text, name).toBe(toChecksumAddress(subjectOf(id, text).address));
    expect(source, name).toMatch(/\S+\.\S+|@\d/);
  }
});

/** Without a second page, the yardstick would only measure what was copied. */
test("no label of a spender rests on the yardstick's page alone", () => {
  const pagesByKey = new Map<string, string[]>();
  for (const file of bundled.labels) {
    for (const line of readFileSync(file, "utf8").split("\n")) {
      const [id = "", text = "", , kind = "", source = "", second = ""] = line.split(",");
      if (kind !== "protocol" && kind !== "bridge") continue;
      const pages = /^\d{4}-/.test(second) || second === "" ? [source] : [source, second];
      pagesByKey.set(`${id} ${text}`, [...(pagesByKey.get(`${id} ${text}`) ?? []), ...pages]);
    }
  }
  const circular = knownSpenders.filter(([id, text, , page]) => {
    const pages = pagesByKey.get(`${id} ${text}`);
    return pages?.every((each) => each.replace(/ [0-9a-f]{9}$/, "") === page) === true;
  });

  expect(circular).toEqual([]);
});

/** A contract that makes every call for every caller must hold no allowance: any caller could spend it. */
test("what acts for every caller is labelled by a name that says so", () => {
  for (const [id, text] of [
    ["1", "0x6566194141eefa99Af43Bb5Aa71460Ca2Dc90245"],
    ["8453", "0x6BFd8137e702540E7A42B74178A4a49Ba43920C4"],
  ] as const) {
    const { chain, address } = subjectOf(id, text);
    expect(book.labelsOf(chain, address).map(({ name }) => name)).toEqual([expect.stringContaining("multicall")]);
  }
  for (const [name, text] of [
    ["0x Settler registry", "0x00000000000004533Fe15556B1E086BB1A72cEae"],
    ["Relay router v2", "0xf5042e6ffac5a625d4e7848e0b01373d8eb9e222"],
    ["Safe batch executor", "0x2cc8475177918e8c4d840150b68815a4b6f0f5f3"],
    ["Multicall3", "0xcA11bde05977b3631167028862bE2a173976CA11"],
  ] as const) {
    const { chain, address } = subjectOf("1", text);
    expect(book.vouchesFor(chain, address, "protocol", "bridge"), name).toBe(false);
  }
});

/** Vaults that are tokens, too. Tokens that are sent to them without a deposit are lost. */
test.each([
  ["wstETH", "0x7f39c581f595b53c5cb19bd0b3f8da6c935e2ca0"],
  ["sUSDS", "0xa3931d71877c0e7a3148cb7eb4463524fec27fbd"],
  ["cUSDC", "0x39aa39c021dfbae8fac545936693ac917d5e7563"],
] as const)("the vault %s may get an allowance, and no tokens by a transfer", async (_name, vault) => {
  const findingsOf = async (data: string) => {
    const request = { chain_id: "1", from: me, to: "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48", data };
    const service = inProcessService(book);
    const { security } = (await service.ask("evmTransactionSecurity", request, new AbortController().signal)).data;
    return security.risk_details.map(({ name }) => name);
  };

  expect(await findingsOf(calldata("approve(address,uint256)", [vault, ALL]))).toEqual([
    "unlimited_approval_to_service",
  ]);
  expect(await findingsOf(calldata("transfer(address,uint256)", [vault, 5n]))).toEqual(["transfer_to_token"]);
});
