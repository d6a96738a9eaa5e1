import { beforeAll, expect, test } from "vitest";
import { LabelFiles } from "../../../src/adapters/files/labels/label-files.ts";
import { bundled } from "../../../src/cli/program/package-root.ts";
import { atOnce } from "../../../src/kernel/async.ts";
import { seededRandom } from "../../../src/kernel/retry.ts";
import { AddressBook } from "../../../src/labels/address-book.ts";
import type { AddressLabel } from "../../../src/labels/label.ts";
import { LabelBook } from "../../../src/service/labels/label-book.ts";
import { sweepers } from "../../fixtures/evm/sweepers.ts";
import { ALL, me, stranger } from "../../fixtures/evm-people.ts";
import { calldata } from "../../support/evm-calls.ts";
import { inProcessService } from "../../support/in-process-service.ts";
import { verdictOn } from "../../support/listed-case.ts";
import { imitation } from "../../support/random-addresses.ts";

/** The bundled labels, as the service and as the worker load them. */
let labels: LabelBook;
let book: AddressBook;
let delegates: readonly AddressLabel[];

beforeAll(async () => {
  const lists = await new LabelFiles(bundled.labels, bundled.labels).load();
  labels = LabelBook.of(lists);
  book = atOnce(AddressBook.steps(lists.map((list) => ({ ...list, info: undefined }))));
  delegates = lists
    .flatMap((list) => [...list.labels].filter((label) => label.kind !== "site"))
    .filter(({ kind }) => kind === "delegate");
});

const USDC = "0xa0b86991c6218b36c1d19d4a2e9eb0ce3606eb48";
const METAMASK = "0x63c0c19a282a1b52b07dd5a65b58948a07dae32b";
const delegation = (...codes: readonly string[]) => ({
  to: me,
  authorization_list: codes.map((address) => ({ address })),
});

async function answerOn(chain: string, fields: object) {
  const request = { chain_id: chain, from: me, ...fields };
  const unstopped = new AbortController().signal;
  const { data } = await inProcessService(labels).ask("evmTransactionSecurity", request, unstopped);
  const { recommended_action: action, risk_details } = data.security;
  return { action, findings: risk_details.map(({ name }) => name) };
}

/** By the default policy, as an operator without other lists gets it. */
async function verdictFor(chain: string, fields: object) {
  const { decision } = await verdictOn(
    { type: "transaction", chain_id: chain, transaction: { from: me, ...fields } },
    book,
    labels,
  );
  return decision;
}

test("a delegation to each wallet's published code is allowed on its chains", async () => {
  expect(delegates.length).toBeGreaterThanOrEqual(58);
  for (const { chain, address, name } of delegates) {
    const { action, findings } = await answerOn(chain.id, delegation(address));
    expect([action, findings], `${name} on ${chain.id}`).toEqual(["ALLOW", ["delegates_to_wallet"]]);
    expect(await verdictFor(chain.id, delegation(address)), `${name} on ${chain.id}`).toBe("ALLOW");
  }
});

test("a delegation to a stranger is blocked, alone, after a wallet's code and before it", async () => {
  for (const codes of [[stranger], [METAMASK, stranger], [stranger, METAMASK]]) {
    const { action, findings } = await answerOn("1", delegation(...codes));
    expect([action, findings.includes("delegates_account")]).toEqual(["BLOCK", true]);
    expect(await verdictFor("1", delegation(...codes))).toBe("BLOCK");
  }
});

test("a delegation to the code of a known sweeper is blocked on every chain", async () => {
  expect(new Set(sweepers).size).toBe(33);
  for (const chain of ["1", "56", "8453"]) {
    for (const code of sweepers) {
      expect(await verdictFor(chain, delegation(code)), `${code} on ${chain}`).toBe("BLOCK");
    }
  }
});

test("a delegation to an imitation of each wallet's code is blocked, and the imitated wallet is named", async () => {
  const random = seededRandom(7702);
  for (const { chain, address, name } of delegates) {
    const fake = imitation("evm", address, { prefix: 4, suffix: 4 }, random);
    const { action, findings } = await answerOn(chain.id, delegation(fake));
    expect([action, findings.includes("resembles_label")], name).toEqual(["BLOCK", true]);
    expect(await verdictFor(chain.id, delegation(fake)), name).toBe("BLOCK");
  }
});

test("a delegation to the code's address on a chain without a row is blocked", async () => {
  expect(await verdictFor("43114", delegation(METAMASK))).toBe("BLOCK");
});

test("a delegation to a labelled router is no delegation to a wallet's code", async () => {
  const { findings } = await answerOn("1", delegation("0x111111125421ca6dc452d289314280a0f8842a65"));
  expect(findings).toContain("delegates_to_service");
  expect(findings).not.toContain("delegates_to_wallet");
});

test("a wallet's code gets no trust as a callee, as a recipient or as a spender", async () => {
  for (const fields of [
    { to: METAMASK, value: "0x10" },
    { to: METAMASK, data: "0x12345678" },
    { to: USDC, data: calldata("approve(address,uint256)", [METAMASK, ALL]) },
  ]) {
    const asStranger = JSON.parse(JSON.stringify(fields).replaceAll(METAMASK.slice(2), stranger.slice(2)));
    expect(await answerOn("1", fields)).toEqual(await answerOn("1", asStranger));
    expect(await verdictFor("1", fields), JSON.stringify(fields)).toBe(await verdictFor("1", asStranger));
  }
});

test("calls that come with a delegation are judged as before", async () => {
  // execute(bytes32,bytes) on the account itself, with calls that Weir cannot read
  const batch = { to: me, data: `0xe9ae5c53${"0".repeat(64)}` };
  const { findings } = await answerOn("1", batch);
  const both = await answerOn("1", { ...delegation(METAMASK), ...batch });

  expect(both.findings).toEqual(expect.arrayContaining([...findings, "delegates_to_wallet"]));
  expect(await verdictFor("1", { ...delegation(METAMASK), ...batch })).not.toBe("ALLOW");

  const approve = calldata("approve(address,uint256)", [stranger, ALL]);
  const drain = { to: me, data: calldata("executeBatch((address,uint256,bytes)[])", [[[USDC, 0n, approve]]]) };
  expect(await verdictFor("1", { ...delegation(METAMASK), ...drain })).not.toBe("ALLOW");
});
