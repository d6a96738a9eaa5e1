import { TronWeb } from "tronweb";
import { beforeAll, describe, expect, test } from "vitest";
import type { CanonicalAddress } from "../../../../src/chains/address.ts";
import { tronHexOf } from "../../../../src/chains/tron/tron-address.ts";
import { NodeDouble } from "../../../fakes/tron/node-double.ts";
import { addressOf, addressWord, friend, user, word } from "../../../fixtures/tron/parts.ts";
import { listen } from "../../../support/http-server.ts";

/** tronweb is the first client of the stand-in: an answer that tronweb understands is an answer of a node. */
describe("for tronweb the stand-in is a node", () => {
  let node: NodeDouble;
  let token: CanonicalAddress;
  let failing: CanonicalAddress;

  beforeAll(async () => {
    node = await NodeDouble.start();
    node.account(user, { balance: 90_071_992_547_409_93n });
    token = await node.deploy("Trc20", user, word(1_000));
    failing = await node.deploy("Failing", user);
  });

  const tronWeb = async () => new TronWeb({ fullHost: await listen(node.listener) });
  const called = async (
    contract: CanonicalAddress,
    signature: string,
    parameters: { type: string; value: unknown }[],
  ) => {
    const { transactionBuilder } = await tronWeb();
    return transactionBuilder.triggerConstantContract(contract, signature, {}, parameters, user);
  };
  const transfer = (amount: number) =>
    called(token, "transfer(address,uint256)", [
      { type: "address", value: friend },
      { type: "uint256", value: amount },
    ]);

  test("a transfer runs, and writes its logs", async () => {
    const { result, constant_result, logs, transaction } = (await transfer(12)) as Awaited<
      ReturnType<typeof transfer>
    > & { logs: unknown };

    expect(result).toEqual({ result: true });
    expect(constant_result).toEqual([word(1)]);
    expect(transaction).toMatchObject({ ret: [{}], visible: false });
    expect(logs).toEqual([
      {
        address: tronHexOf(token).slice(2),
        topics: [
          "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
          addressWord(user),
          addressWord(friend),
        ],
        data: word(12),
      },
    ]);
  });

  test("a TRC-10 is found by its id, with its names", async () => {
    node.asset(1_002_001, user, "Tether", "USDT");

    expect(await (await tronWeb()).trx.getTokenByID(1_002_001)).toMatchObject({
      id: "1002001",
      name: "Tether",
      abbr: "USDT",
      owner_address: tronHexOf(user),
    });
  });

  test("no state of a run remains", async () => {
    const balance = await called(token, "balanceOf(address)", [{ type: "address", value: user }]);

    expect(balance.constant_result).toEqual([word(1_000)]);
  });

  test("its contract object reads and decodes", async () => {
    const abi = [
      {
        type: "function",
        name: "balanceOf",
        stateMutability: "view",
        inputs: [{ name: "who", type: "address" }],
        outputs: [{ name: "", type: "uint256" }],
      },
    ] as const;
    const contract = (await tronWeb()).contract(abi, token);

    expect(await contract.balanceOf(user).call({ from: user })).toBe(1_000n);
  });

  test("a transfer of too much is reverted", async () => {
    await expect(transfer(1_001)).rejects.toThrow("REVERT opcode executed");
  });

  test.each([
    ["byInvalid()", "IllegalOperationException"],
    ["forEver()", "OutOfTimeException"],
  ])("%s throws inside the machine", async (signature, exception) => {
    await expect(called(failing, signature, [])).rejects.toThrow(exception);
  });

  test("a call without a contract fails", async () => {
    await expect(called(addressOf("nothing"), "claim()", [])).rejects.toThrow("Smart contract is not exist.");
  });

  test("accounts and contracts are found by their own addresses only", async () => {
    const { trx } = await tronWeb();

    expect(await trx.getUnconfirmedAccount(user)).toMatchObject({
      address: tronHexOf(user),
      owner_permission: { threshold: 1, keys: [{ address: tronHexOf(user), weight: 1 }] },
    });
    expect(await trx.getUnconfirmedAccount(addressOf("nobody"))).toEqual({});
    expect(await trx.getContract(token)).toMatchObject({ contract_address: tronHexOf(token) });
    expect(await trx.getContractInfo(token)).toMatchObject({ runtimecode: await node.machine.code(token) });
    expect(await trx.getContract(user)).toEqual({});
    await expect(trx.getContractInfo(user)).rejects.toThrow("Contract does not exist");
  });
});
