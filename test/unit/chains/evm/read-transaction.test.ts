import { toFunctionSelector } from "viem";
import { describe, expect, test } from "vitest";
import { type CanonicalAddress, parseAddress } from "../../../../src/chains/address.ts";
import { signatures } from "../../../../src/chains/evm/calls/token-calls.ts";
import { wrappers } from "../../../../src/chains/evm/calls/wrappers.ts";
import { type EvmTransfer, readTransaction, selectorOf } from "../../../../src/chains/evm/read-transaction.ts";
import {
  ALL,
  friend,
  item,
  me,
  multiSendContract,
  nobody,
  permit2,
  safe,
  stranger,
  token,
} from "../../../fixtures/evm-people.ts";
import { aliasedMulticall, calldata, multiSendOf, safeExec } from "../../../support/evm-calls.ts";

function canonical(text: string): CanonicalAddress {
  const parsed = parseAddress("evm", text);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.value;
}

const readAll = (to: string | undefined, data: string, { value = 0n, delegates = [] }: Partial<EvmTransfer> = {}) =>
  readTransaction({
    from: canonical(me),
    to: to === undefined ? undefined : canonical(to),
    value,
    data: data.slice(2),
    delegates,
  });

/** The effects of calls that no service has. The other fields have tests of their own. */
function read(...transaction: Parameters<typeof readAll>) {
  const { acts, contracts, unexplained, services } = readAll(...transaction);
  expect(services).toEqual([]);
  return { acts, contracts, unexplained };
}

test("values overlap where a multicall makes one call twice, at any depth, and nowhere else", () => {
  const [revoke, transfer] = [
    calldata("approve(address,uint256)", [stranger, 0n]),
    calldata("transfer(address,uint256)", [stranger, 5n]),
  ];
  const twice = aliasedMulticall([revoke, transfer], [0, 0, 1]);
  const apart = aliasedMulticall([revoke, transfer], [1, 0]);

  expect(readAll(token, twice).overlaps).toBe(true);
  expect(readAll(token, aliasedMulticall([twice], [0])).overlaps).toBe(true);
  expect(readAll(token, apart).overlaps).toBe(false);
  expect(readAll(token, calldata("multicall(bytes[])", [[revoke, revoke, transfer]])).overlaps).toBe(false);
  expect(readAll(token, transfer).overlaps).toBe(false);
});

test("the actors of a transaction are the sender and a Safe that executes its calls", () => {
  const transfer = calldata("transfer(address,uint256)", [stranger, 5n]);
  const batch = multiSendOf([{ to: token, data: transfer }]);

  expect(readAll(token, transfer).actors).toEqual([me]);
  expect(readAll(undefined, "0x60").actors).toEqual([me]);
  expect(readAll(safe, safeExec({ to: multiSendContract, data: batch, operation: 1 })).actors).toEqual([me, safe]);
  expect(readAll(token, calldata("multicall(bytes[])", [[transfer]])).actors).toEqual([me]);
});

const bytes32 = `0x${"77".repeat(32)}`;

describe("selectors", () => {
  test.each([...Object.keys(signatures), ...Object.keys(wrappers)])("%s", (signature) => {
    expect(`0x${selectorOf(signature)}`).toBe(toFunctionSelector(`function ${signature}`));
  });

  test("no two are the same", () => {
    const all = [...Object.keys(signatures), ...Object.keys(wrappers)].map(selectorOf);

    expect(all).toHaveLength(33);
    expect(new Set(all).size).toBe(33);
  });
});

describe("calls of tokens", () => {
  const moved = { does: "transfer", token, from: friend, to: stranger };
  const approved = { does: "approve", token, of: me, spender: stranger, adds: false, by: "call" };
  const revoked = { does: "revoke", token, of: me, spender: stranger };
  const signed = { ...approved, of: friend, by: "signature" };

  test.each([
    ["transfer(address,uint256)", [stranger, 5n], [{ ...moved, from: me, amount: 5n }]],
    ["transfer(address,uint256)", [stranger, ALL], [{ ...moved, from: me, amount: ALL }]],
    [
      "transferFrom(address,address,uint256)",
      [friend, stranger, 9007199254740993n],
      [{ ...moved, amount: 9007199254740993n }],
    ],
    ["safeTransferFrom(address,address,uint256)", [friend, stranger, 7n], [{ ...moved, amount: 7n }]],
    ["safeTransferFrom(address,address,uint256,bytes)", [friend, stranger, 7n, "0xabcd"], [{ ...moved, amount: 7n }]],
    [
      "safeTransferFrom(address,address,uint256,uint256,bytes)",
      [friend, stranger, 7n, 3n, "0x"],
      [{ ...moved, amount: 3n }],
    ],
    [
      "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)",
      [friend, stranger, [7n, 8n], [3n, 4n], "0x"],
      [
        { ...moved, amount: 3n },
        { ...moved, amount: 4n },
      ],
    ],
    [
      "safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)",
      [friend, stranger, [], [], "0x"],
      [{ ...moved, amount: 0n }],
    ],
    [
      "transferWithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)",
      [friend, stranger, 6n, 0n, 1n, bytes32, 27, bytes32, bytes32],
      [{ ...moved, amount: 6n }],
    ],
    ["approve(address,uint256)", [stranger, ALL], [{ ...approved, amount: ALL }]],
    ["approve(address,uint256)", [stranger, 0n], [{ ...revoked, orGivesItem: true }]],
    ["approve(address,uint256)", [nobody, 5n], [{ ...revoked, spender: nobody }]],
    ["increaseAllowance(address,uint256)", [stranger, 5n], [{ ...approved, amount: 5n, adds: true }]],
    ["increaseApproval(address,uint256)", [stranger, 5n], [{ ...approved, amount: 5n, adds: true }]],
    ["decreaseAllowance(address,uint256)", [stranger, 5n], [revoked]],
    ["setApprovalForAll(address,bool)", [stranger, true], [{ does: "approve_all", token, of: me, spender: stranger }]],
    ["setApprovalForAll(address,bool)", [stranger, false], [revoked]],
    [
      "permit(address,address,uint256,uint256,uint8,bytes32,bytes32)",
      [friend, stranger, 5n, ALL, 27, bytes32, bytes32],
      [{ ...signed, amount: 5n }],
    ],
    ["permit(address,address,uint256,uint256,bytes)", [friend, stranger, 5n, ALL, "0x00"], [{ ...signed, amount: 5n }]],
    [
      "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
      [friend, stranger, 0n, ALL, true, 27, bytes32, bytes32],
      [{ ...signed, amount: ALL }],
    ],
    [
      "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)",
      [friend, stranger, 0n, ALL, false, 27, bytes32, bytes32],
      [{ ...revoked, of: friend }],
    ],
    ["transferOwnership(address)", [stranger], [{ does: "give_ownership", contract: token, to: stranger }]],
  ] as const)("%s", (signature, args, acts) => {
    expect(read(token, calldata(signature, args))).toEqual({ acts, contracts: [token], unexplained: [] });
  });
});

describe("calls of Permit2", () => {
  const details = (of: string, amount: bigint) => [of, amount, 1, 0];
  const signed = { does: "approve", of: me, spender: stranger, adds: false, by: "signature" };
  const moved = (of: string, to: string, amount: bigint) => ({ does: "transfer", token: of, from: me, to, amount });

  test.each([
    [
      "approve(address,address,uint160,uint48)",
      [token, stranger, 5n, 1],
      [{ does: "approve", token, of: me, spender: stranger, amount: 5n, adds: false, by: "call" }],
    ],
    [
      "permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)",
      [me, [details(token, 5n), stranger, 1n], "0xab"],
      [{ ...signed, token, amount: 5n }],
    ],
    [
      "permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)",
      [me, [[details(token, 5n), details(item, 6n)], stranger, 1n], "0xab"],
      [
        { ...signed, token, amount: 5n },
        { ...signed, token: item, amount: 6n },
      ],
    ],
    ["transferFrom(address,address,uint160,address)", [me, stranger, 5n, token], [moved(token, stranger, 5n)]],
    [
      "transferFrom((address,address,uint160,address)[])",
      [
        [
          [me, stranger, 5n, token],
          [me, friend, 6n, item],
        ],
      ],
      [moved(token, stranger, 5n), moved(item, friend, 6n)],
    ],
    [
      "permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)",
      [[[token, 9n], 0n, 1n], [stranger, 5n], me, "0x"],
      [moved(token, stranger, 5n)],
    ],
    [
      "permitTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes)",
      [
        [
          [
            [token, 9n],
            [item, 9n],
          ],
          0n,
          1n,
        ],
        [
          [stranger, 5n],
          [friend, 6n],
        ],
        me,
        "0x",
      ],
      [moved(token, stranger, 5n), moved(item, friend, 6n)],
    ],
    [
      "permitWitnessTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes32,string,bytes)",
      [[[token, 9n], 0n, 1n], [stranger, 5n], me, bytes32, "text", "0x"],
      [moved(token, stranger, 5n)],
    ],
    ["lockdown((address,address)[])", [[[token, stranger]]], [{ does: "revoke", token, of: me, spender: stranger }]],
  ] as const)("%s", (signature, args, acts) => {
    expect(read(permit2, calldata(signature, args))).toEqual({
      acts,
      contracts: [permit2],
      unexplained: [],
    });
  });
});

describe("native value", () => {
  test("native value beside a function that takes none is reported, and the call is read all the same", () => {
    const data = calldata("transfer(address,uint256)", [friend, 5n]);

    expect(read(token, data, { value: 1n })).toMatchObject({
      acts: [
        { does: "pay", to: token, amount: 1n },
        { does: "transfer", token, to: friend, amount: 5n },
      ],
      unexplained: [{ contract: token, why: "broken_call", selector: "a9059cbb" }],
    });
  });

  test("native value is paid to the receiver of the transaction", () => {
    expect(read(friend, "0x", { value: 5n })).toEqual({
      acts: [{ does: "pay", from: me, to: friend, amount: 5n }],
      contracts: [],
      unexplained: [],
    });
  });

  test("native value of 0 still names its receiver", () => {
    expect(read(friend, "0x").acts).toEqual([{ does: "pay", from: me, to: friend, amount: 0n }]);
  });

  test("native value that goes with a call is paid to the contract", () => {
    expect(read(token, "0xdeadbeef", { value: 1n })).toEqual({
      acts: [{ does: "pay", from: me, to: token, amount: 1n }],
      contracts: [token],
      unexplained: [{ contract: token, why: "unknown_call", selector: "deadbeef" }],
    });
  });
});

describe("calls inside calls", () => {
  const transfer = calldata("transfer(address,uint256)", [stranger, 5n]);
  const approve = calldata("approve(address,uint256)", [stranger, 6n]);
  const moved = { does: "transfer", token, from: me, to: stranger, amount: 5n };

  test.each([
    ["multicall(bytes[])", [[transfer, approve]]],
    ["multicall(uint256,bytes[])", [1n, [transfer, approve]]],
    ["multicall(bytes32,bytes[])", [bytes32, [transfer, approve]]],
  ] as const)("%s calls the contract itself", (signature, args) => {
    expect(read(token, calldata(signature, args))).toEqual({
      acts: [moved, { does: "approve", token, of: me, spender: stranger, amount: 6n, adds: false, by: "call" }],
      contracts: [token],
      unexplained: [],
    });
  });

  test("a Safe acts by itself and pays the account that it is told to refund", () => {
    const data = safeExec({
      to: token,
      data: transfer,
      gasPrice: 1n,
      gasToken: item,
      refundReceiver: friend,
    });

    expect(read(safe, data)).toEqual({
      acts: [
        { does: "refund", token: item, from: safe, to: friend },
        { ...moved, from: safe },
      ],
      contracts: [safe, token],
      unexplained: [],
    });
  });

  test("a Safe runs MultiSend as itself", () => {
    const batch = multiSendOf([
      { to: token, data: transfer },
      { to: friend, value: 4n },
      { to: token, data: approve },
    ]);

    expect(read(safe, safeExec({ to: multiSendContract, data: batch, operation: 1 }))).toEqual({
      acts: [
        { ...moved, from: safe },
        { does: "pay", from: safe, to: friend, amount: 4n },
        { does: "approve", token, of: safe, spender: stranger, amount: 6n, adds: false, by: "call" },
      ],
      contracts: [safe, multiSendContract, token],
      unexplained: [],
    });
  });

  test("foreign code that a Safe runs as itself is never explained, whatever function is called", () => {
    const { unexplained, acts } = read(
      safe,
      safeExec({ to: stranger, data: multiSendOf([{ to: token, data: transfer }]), operation: 1 }),
    );

    expect(unexplained).toEqual([{ contract: stranger, why: "foreign_code", selector: "8d80ff0a" }]);
    expect(acts).toEqual([{ ...moved, from: safe }]);
    expect(read(safe, safeExec({ to: stranger, operation: 1 }))).toEqual({
      acts: [],
      contracts: [safe, stranger],
      unexplained: [{ contract: stranger, why: "foreign_code", selector: "" }],
    });
  });

  test("a call is unknown as a whole when one inner call is unknown", () => {
    const { unexplained } = read(token, calldata("multicall(bytes[])", [[transfer, "0xdeadbeef", "0x12"]]));

    expect(unexplained).toEqual([
      { contract: token, why: "unknown_call", selector: "deadbeef" },
      { contract: token, why: "unknown_call", selector: "12" },
    ]);
  });

  test("nested calls are read down to five levels", () => {
    const nested = (levels: number): `0x${string}` =>
      levels === 0 ? transfer : calldata("multicall(bytes[])", [[nested(levels - 1)]]);

    expect(read(token, nested(4))).toMatchObject({ acts: [moved], unexplained: [] });
    expect(read(token, nested(5))).toEqual({
      acts: [],
      contracts: [token],
      unexplained: [{ contract: token, why: "too_much", selector: "a9059cbb" }],
    });
  });

  test("at most 256 calls are read", () => {
    const many = (calls: number) => read(token, calldata("multicall(bytes[])", [new Array(calls).fill(transfer)]));

    expect(many(255)).toMatchObject({ unexplained: [] });
    expect(many(255).acts).toHaveLength(255);
    expect(many(300).acts).toHaveLength(255);
    expect(many(300).unexplained).toEqual([{ contract: token, why: "too_much", selector: "a9059cbb" }]);
  });

  test("at most 1,024 acts are read", () => {
    const batch = calldata("transferFrom((address,address,uint160,address)[])", [
      new Array(1_025).fill([me, stranger, 5n, token]),
    ]);

    expect(read(permit2, batch).acts).toHaveLength(1_024);
    expect(read(permit2, batch).unexplained).toEqual([{ contract: permit2, why: "too_much", selector: "" }]);
  });
});

describe("invalid arguments", () => {
  const broken = (selector: string) => [{ contract: token, why: "broken_call", selector }];
  const transfer = calldata("transfer(address,uint256)", [stranger, 5n]);

  test.each([
    ["cut", transfer.slice(0, -2), "a9059cbb"],
    ["with something in front of an address", transfer.replace("a9059cbb00", "a9059cbb01"), "a9059cbb"],
    [
      "a truth value of 2",
      `${calldata("setApprovalForAll(address,bool)", [stranger, true]).slice(0, -1)}2`,
      "a22cb465",
    ],
    [
      "an amount of 161 bits where 160 belong",
      `0x87517c45${token.slice(2).padStart(64, "0")}${stranger.slice(2).padStart(64, "0")}${"1".padEnd(41, "0").padStart(64, "0")}${"1".padStart(64, "0")}`,
      "87517c45",
    ],
    ["an offset far behind the end", `0xac9650d8${"f".repeat(64)}`, "ac9650d8"],
    [
      "a list longer than all that was sent",
      `0xac9650d8${"20".padStart(64, "0")}${"ff".padStart(64, "0")}`,
      "ac9650d8",
    ],
    ["a batch cut in its middle", calldata("multiSend(bytes)", ["0x00ab"]), "8d80ff0a"],
  ])("%s", (_what, data, selector) => {
    expect(read(token, data).unexplained).toEqual(broken(selector));
  });

  test("bytes behind the arguments are ignored", () => {
    expect(read(token, `${transfer}abcdef`)).toEqual(read(token, transfer));
  });

  test("an operation of a Safe that does not exist is not explained", () => {
    const data = safeExec({ to: token }).replace(/^(.{10}.{192}.{63})0/, "$12");

    expect(read(safe, data).unexplained).toEqual([{ contract: safe, why: "broken_call", selector: "6a761202" }]);
  });
});

test("a contract creation is not explained", () => {
  expect(read(undefined, "0x6080")).toEqual({
    acts: [],
    contracts: [],
    unexplained: [{ contract: undefined, why: "creation", selector: "" }],
  });
});

test("code that an account lets act for it is named", () => {
  expect(read(me, "0x", { delegates: [canonical(stranger)] }).acts).toEqual([
    { does: "delegate", to: stranger },
    { does: "pay", from: me, to: me, amount: 0n },
  ]);
});
