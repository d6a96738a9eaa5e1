import { beforeAll, describe, expect, test } from "vitest";
import { labelFiles } from "../../../src/cli/config/label-paths.ts";
import type { AddressLabel } from "../../../src/labels/label.ts";
import { LabelBook } from "../../../src/service/labels/label-book.ts";
import type { SecurityService } from "../../../src/worker/ports.ts";
import { calldata } from "../../support/evm-calls.ts";
import { inProcessService } from "../../support/in-process-service.ts";

/** Arbitrum's bridge on Ethereum, Uniswap's router on Ethereum, and Permit2 with a row for each of seven chains. */
const BRIDGE = "0x8315177ab297ba92a06054ce80a67ed4dbd7ed3a";
const ROUTER = "0x7a250d5630b4cf539739df2c5dacb4c659f2488d";
const PERMIT2 = "0x000000000022d473030f116ddee9f6b43ac78ba3";
const USDC_BY_CHAIN = {
  "1": "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48",
  "137": "0x3c499c542cef5e3811e1192ce70d8cc03d5c3359",
  "8453": "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913",
};
const ME = "0x52908400098527886e0f7030069857d2e4169ee7";
const FRIEND = "0x8617e340b3d01fa5f11f306f4090fd50e238070d";
const ALL = 2n ** 256n - 1n;

let labels: readonly AddressLabel[];
let book: LabelBook;
let service: SecurityService;

beforeAll(async () => {
  const lists = await labelFiles({ BUNDLED_LABELS: true, LABELS_FILES: [] }).load();
  labels = lists.flatMap((list) => [...list.labels].filter((label) => label.kind !== "site"));
  book = LabelBook.of(lists);
  service = inProcessService(book);
});

type Id = keyof typeof USDC_BY_CHAIN;

async function ruled(chain: Id, to: string, signature: string, args: readonly unknown[]) {
  const request = { chain_id: chain, from: ME, to, data: calldata(signature, args) };
  const { data } = await service.ask("evmTransactionSecurity", request, AbortSignal.timeout(5_000));
  return data.security;
}

const approvals = (spender: string) => ["approve(address,uint256)", [spender, ALL]] as const;

describe("a bundled label vouches only on the chain of its row", () => {
  test.each<[Id, string, readonly [string, readonly unknown[]]]>([
    ["137", BRIDGE, ["setApprovalForAll(address,bool)", [FRIEND, false]]],
    ["137", BRIDGE, ["transfer(address,uint256)", [FRIEND, 1n]]],
    ["8453", ROUTER, ["transfer(address,uint256)", [FRIEND, 1n]]],
  ])("on chain %s a call of %s counts as a call of an unknown contract", async (chain, to, [signature, args]) => {
    const found = await ruled(chain, to, signature, args);

    expect(found.risk_details.map(({ name }) => name)).toContain("unknown_callee");
    expect((await ruled("1", to, signature, args)).risk_details.map(({ name }) => name)).not.toContain(
      "unknown_callee",
    );
  });

  test.each<[Id, string]>([
    ["137", BRIDGE],
    ["8453", ROUTER],
  ])("on chain %s an approval of %s counts as an approval of an unknown spender", async (chain, spender) => {
    const names = async (id: Id) =>
      (await ruled(id, USDC_BY_CHAIN[id], ...approvals(spender))).risk_details.map(({ name }) => name);

    expect(await names(chain)).toContain("unlimited_approval");
    expect(await names("1")).toContain("unlimited_approval_to_service");
  });

  test.each<Id>(["1", "137", "8453"])("Permit2 has a row for chain %s", async (chain) => {
    const { risk_details } = await ruled(chain, USDC_BY_CHAIN[chain], ...approvals(PERMIT2));

    expect(risk_details.map(({ name }) => name)).toEqual(["unlimited_approval_to_service"]);
  });
});

test("no bundled address counts as an imitation on another chain of its family", () => {
  const services = labels.filter(({ kind }) => kind !== "token");
  const chains = new Set(labels.map(({ chain }) => chain));
  const wrong = services.flatMap(({ address, chain }) =>
    [...chains]
      .filter(({ family }) => family === chain.family)
      .filter((other) => !book.isOriginal(other, address))
      .map((other) => `${address} on ${other.id}`),
  );

  expect(services.length).toBeGreaterThan(3_000);
  expect(wrong).toEqual([]);
});
