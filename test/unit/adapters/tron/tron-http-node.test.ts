import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../src/chains/address.ts";
import { tronHexOf } from "../../../../src/chains/tron/tron-address.ts";
import { fail, ok } from "../../../../src/kernel/result.ts";
import { initialPermissions } from "../../../../src/service/tron-transactions/permissions/permission-analysis.ts";
import type { TronContractCall } from "../../../../src/service/tron-transactions/tron-node.ts";
import { NodeDouble } from "../../../fakes/tron/node-double.ts";
import { addressOf, addressWord, friend, thief, transferOf, user, word } from "../../../fixtures/tron/parts.ts";
import { answering, sendJson } from "../../../support/http-server.ts";
import { nodeOver } from "../../../support/tron-node.ts";

const call = (contract: CanonicalAddress, data: string, more: Partial<TronContractCall> = {}): TronContractCall => ({
  owner: user,
  contract,
  data,
  valueSun: 0n,
  tokenValue: 0n,
  tokenId: 0n,
  ...more,
});
const TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** tronweb verifies the stand-in (node-double.test.ts). */
describe("over the stand-in of a node", () => {
  let double: NodeDouble;
  let token: CanonicalAddress;
  let failing: CanonicalAddress;
  let over: Awaited<ReturnType<typeof nodeOver>>;

  beforeAll(async () => {
    double = await NodeDouble.start();
    double.account(user, { balance: 9_007_199_254_740_993n });
    token = await double.deploy("FeeTrc20", user, word(1_000), addressWord(thief));
    failing = await double.deploy("Failing", user);
    over = await nodeOver(double.listener);
  });
  afterAll(() => over.close());

  test("an account has its exact balance, and an absent account is undefined", async () => {
    expect(await over.node.account(user)).toMatchObject({
      ok: true,
      value: {
        balanceSun: 9_007_199_254_740_993n,
        isContract: false,
        permissions: { owner: initialPermissions(user).owner },
      },
    });
    expect(await over.node.account(token)).toMatchObject({ ok: true, value: { isContract: true } });
    expect(await over.node.account(addressOf("nobody"))).toEqual(ok(undefined));
  });

  test("a contract has its code, and a non-contract has none", async () => {
    expect(await over.node.code(token)).toEqual(ok(await double.machine.code(token)));
    expect(await over.node.code(user)).toEqual(ok(undefined));
  });

  test("a TRC-10 has its names, and an unused id has none", async () => {
    double.asset(1_002_001, thief, "Tether\u20AE", "USDT");

    expect(await over.node.asset(1_002_001n)).toEqual(ok({ id: 1_002_001n, name: "Tether\u20AE", abbr: "USDT" }));
    expect(await over.node.asset(1_002_002n)).toEqual(ok(undefined));
    expect(double.received.at(-1)?.body).toBe('{"value":"1002002"}');
  });

  test("a call runs, and its logs name their contract", async () => {
    const log = (to: string, amount: number) => ({
      contract: token,
      topics: [TRANSFER, addressWord(user), addressWord(to)],
      data: word(amount),
    });

    expect(await over.node.execute(call(token, transferOf(friend, 100)))).toEqual(
      ok({ ended: "done", returned: word(1), logs: [log(thief, 1), log(friend, 99)], payments: [] }),
    );
  });

  test.each([
    ["because()", "3cc064cc", 'the contract refuses it: "not on a Sunday"'],
    ["silently()", "8244ff4e", "the contract refuses it and does not say why"],
    ["byError()", "7e32e1de", "the contract refuses it with error 0x7c126b56"],
    ["byPanic(0)", `c338f4de${word(0)}`, "the contract fails with panic 0x12"],
    [
      "byInvalid()",
      "4e789496",
      "class org.tron.core.vm.program.Program$IllegalOperationException : Invalid operation code: opCode[fe];",
    ],
  ])("%s has the reason of its failure", async (_name, data, reason) => {
    expect(await over.node.execute(call(failing, data))).toEqual(ok({ ended: "failed", reason }));
  });

  test("words of a contract are shortened and made printable", async () => {
    const answer = await over.node.execute(call(failing, "2d35cde4"));

    expect(answer).toEqual(
      ok({
        ended: "failed",
        reason: expect.stringMatching(/^the contract refuses it: "\?<b>\? safe, sign \? x{95,100}"$/),
      }),
    );
  });

  test("a call that never ends is unclear", async () => {
    expect(await over.node.execute(call(failing, "67e84177"))).toMatchObject({ ok: true, value: { ended: "unclear" } });
  });

  test("a non-contract cannot be called, and an account cannot pay more than its balance", async () => {
    expect(await over.node.execute(call(user, ""))).toEqual(
      ok({ ended: "failed", reason: "Smart contract is not exist." }),
    );
    expect(await over.node.execute(call(token, "", { valueSun: 9_007_199_254_740_994n }))).toEqual(
      ok({ ended: "failed", reason: "Validate InternalTransfer error, balance is not sufficient." }),
    );
  });

  test("amounts are sent exactly", async () => {
    await over.node.execute(
      call(token, "ab", { valueSun: 2n ** 63n - 1n, tokenValue: 9_007_199_254_740_993n, tokenId: 7n }),
    );

    expect(double.received.at(-1)?.body).toBe(
      `{"owner_address":"${tronHexOf(user)}","contract_address":"${tronHexOf(token)}","data":"ab","call_value":9223372036854775807,"call_token_value":9007199254740993,"token_id":7}`,
    );
  });
});

test.each([
  [
    "an error inside the node",
    { Error: "class java.lang.NullPointerException : null" },
    "the node fails: class java.lang.NullPointerException : null",
  ],
  ["another's contract", { contract_address: tronHexOf(thief) }, "the contract at another address than was asked for"],
])("%s is a failure, and no answer", async (_what, json, detail) => {
  const over = await nodeOver(answering((_request, response) => sendJson(response, 200, json)));

  const answer = await over.node.code(user);

  await over.close();
  expect(answer.ok ? "" : answer.detail).toMatch(/^127\.0\.0\.1:\d+\/wallet\/getcontract: /);
  expect(answer).toEqual(fail(expect.stringContaining(detail)));
});

test("code that a node does not return is not taken for empty code", async () => {
  const shown = answering(({ url }, response) =>
    sendJson(response, 200, url === "/wallet/getcontract" ? { contract_address: tronHexOf(user) } : {}),
  );
  const over = await nodeOver(shown);

  const answer = await over.node.code(user);

  await over.close();
  expect(answer).toEqual(fail(expect.stringContaining("/wallet/getcontractinfo: no code that can be read")));
});
