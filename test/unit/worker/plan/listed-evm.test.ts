import { encodePacked, getAddress, type Hex } from "viem";
import { describe, expect, test } from "vitest";
import * as p from "../../../fixtures/evm-people.ts";
import { aliasedMulticall, calldata, multiSendOf, safeExec } from "../../../support/evm-calls.ts";
import { bad, listed, padded, transaction, verdictOn } from "../../../support/listed-case.ts";

const party = bad as Hex;
const bytes32: Hex = `0x${"77".repeat(32)}`;
const signature: Hex = `0x${"88".repeat(65)}`;
const details = (token: Hex) => [token, 5n, 2_000_000_000, 0] as const;
const to = (contract: Hex, signatureText: string, args: readonly unknown[]) =>
  transaction({ to: contract, data: calldata(signatureText, args) });
const transfer = calldata("transfer(address,uint256)", [party, 5n]);
const userOp = (sender: Hex, data: Hex) => [sender, 0n, "0x", data, bytes32, 0n, bytes32, "0x", signature];
const HANDLE_OPS = "handleOps((address,uint256,bytes,bytes,bytes32,uint256,bytes32,bytes,bytes)[],address)";
const SWAP = "swap(address,(address,address,address,address,uint256,uint256,uint256),bytes,bytes)";

async function expectBlock(event: object): Promise<void> {
  const { decision, reasons } = await verdictOn(event, listed);
  expect(reasons).toContainEqual(
    expect.objectContaining({ check: "listed", finding: "listed_sanctioned", severity: "BLOCK" }),
  );
  expect(decision).toBe("BLOCK");
}

describe("a listed party of EVM calldata is blocked", () => {
  test.each([
    ["a permit by EIP-2612 for it", to(p.token, p.PERMIT, p.permitArguments(p.me, party))],
    ["a permit by EIP-2612 of it", to(p.token, p.PERMIT, p.permitArguments(party, p.me))],
    [
      "a permit as DAI has it",
      to(p.token, "permit(address,address,uint256,uint256,bool,uint8,bytes32,bytes32)", [
        p.me,
        party,
        0n,
        0n,
        true,
        27,
        bytes32,
        bytes32,
      ]),
    ],
    ["a payment by EIP-3009", to(p.token, transferSigned("transfer"), [p.me, party, 5n, 0n, p.ALL, ...signed()])],
    [
      "a payment that its receiver hands in",
      to(p.token, transferSigned("receive"), [party, p.me, 5n, 0n, p.ALL, ...signed()]),
    ],
    [
      "an approval of Permit2",
      to(p.permit2, "approve(address,address,uint160,uint48)", [p.token, party, 5n, 2_000_000_000]),
    ],
    [
      "a permit of Permit2",
      to(p.permit2, "permit(address,((address,uint160,uint48,uint48),address,uint256),bytes)", [
        p.me,
        [details(p.token), party, 2_000_000_000n],
        signature,
      ]),
    ],
    [
      "a permit of Permit2 for several tokens",
      to(p.permit2, "permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)", [
        p.me,
        [[details(p.token), details(p.item)], party, 2_000_000_000n],
        signature,
      ]),
    ],
    [
      "the second token of such a permit",
      to(p.permit2, "permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)", [
        p.me,
        [[details(p.token), details(party)], p.friend, 2_000_000_000n],
        signature,
      ]),
    ],
    [
      "a payment by Permit2",
      to(p.permit2, "transferFrom(address,address,uint160,address)", [p.me, party, 5n, p.token]),
    ],
    [
      "the second payment by Permit2",
      to(p.permit2, "transferFrom((address,address,uint160,address)[])", [
        [
          [p.me, p.friend, 5n, p.token],
          [p.me, party, 5n, p.token],
        ],
      ]),
    ],
    [
      "a signed payment by Permit2",
      to(p.permit2, "permitTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes)", [
        [[p.token, 5n], 0n, p.ALL],
        [party, 5n],
        p.me,
        signature,
      ]),
    ],
    [
      "a signed payment with a witness by Permit2",
      to(
        p.permit2,
        "permitWitnessTransferFrom(((address,uint256),uint256,uint256),(address,uint256),address,bytes32,string,bytes)",
        [[[p.token, 5n], 0n, p.ALL], [party, 5n], p.me, bytes32, "Witness witness)", signature],
      ),
    ],
    [
      "several signed payments by Permit2",
      to(
        p.permit2,
        "permitWitnessTransferFrom(((address,uint256)[],uint256,uint256),(address,uint256)[],address,bytes32,string,bytes)",
        [[[[p.token, 5n]], 0n, p.ALL], [[party, 5n]], p.me, bytes32, "Witness witness)", signature],
      ),
    ],
    ["a delegation by EIP-7702", transaction({ to: p.me, authorization_list: [{ address: party }] })],
    ["a multicall's transfer", to(p.multicaller, "multicall(bytes[])", [[transfer]])],
    [
      "a multicall within a multicall",
      to(p.multicaller, "multicall(uint256,bytes[])", [0n, [calldata("multicall(bytes[])", [[transfer]])]]),
    ],
    [
      "a Safe's multiSend",
      transaction({
        to: p.safe,
        data: safeExec({
          to: p.multiSendContract as Hex,
          operation: 1,
          data: multiSendOf([
            { to: p.friend, value: 1n },
            { to: p.token, data: transfer },
          ]),
        }),
      }),
    ],
    [
      "coins by a Safe's multiSend, whose calls are packed",
      transaction({
        to: p.safe,
        data: safeExec({ to: p.multiSendContract as Hex, operation: 1, data: multiSendOf([{ to: party, value: 1n }]) }),
      }),
    ],
    [
      "a Safe's refund",
      transaction({ to: p.safe, data: safeExec({ to: p.friend, value: 1n, gasPrice: 1n, refundReceiver: party }) }),
    ],
    [
      "an operation of an account by ERC-4337",
      to(p.router, HANDLE_OPS, [
        [userOp(p.me, calldata("execute(address,uint256,bytes)", [p.token, 0n, transfer]))],
        p.friend,
      ]),
    ],
    ["the account of such an operation", to(p.router, HANDLE_OPS, [[userOp(party, "0x")], p.friend])],
    ["the beneficiary of such operations", to(p.router, HANDLE_OPS, [[userOp(p.me, "0x")], party])],
    [
      "the paymaster of such an operation, which is packed",
      to(p.router, HANDLE_OPS, [
        [[p.me, 0n, "0x", "0x", bytes32, 0n, bytes32, encodePacked(["address", "uint128"], [party, 5n]), signature]],
        p.friend,
      ]),
    ],
    [
      "the account factory of such an operation, which is packed",
      to(p.router, HANDLE_OPS, [
        [
          [
            p.me,
            0n,
            encodePacked(["address", "bytes4"], [party, "0x12345678"]),
            "0x",
            bytes32,
            0n,
            bytes32,
            "0x",
            "0x",
          ],
        ],
        p.friend,
      ]),
    ],
    [
      "the recipient of a Uniswap V2 swap",
      to(p.router, "swapExactTokensForTokens(uint256,uint256,address[],address,uint256)", [
        5n,
        1n,
        [p.token, p.item],
        party,
        p.ALL,
      ]),
    ],
    [
      "a token on the way of a Uniswap V2 swap",
      to(p.router, "swapExactETHForTokens(uint256,address[],address,uint256)", [1n, [p.token, party], p.me, p.ALL]),
    ],
    [
      "the recipient of a Uniswap V3 swap",
      to(p.router, "exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))", [
        [p.token, p.item, 3_000, party, 5n, 1n, 0n],
      ]),
    ],
    [
      "a token in the packed path of a Uniswap V3 swap",
      to(p.router, "exactInput((bytes,address,uint256,uint256,uint256))", [
        [
          encodePacked(["address", "uint24", "address", "uint24", "address"], [p.token, 3_000, party, 500, p.item]),
          p.me,
          p.ALL,
          5n,
          1n,
        ],
      ]),
    ],
    [
      "the recipient of a 1inch swap",
      to(p.router, SWAP, [p.friend, [p.token, p.item, p.friend, party, 5n, 1n, 0n], "0x", "0x"]),
    ],
    [
      "a 1inch pool, whose word has flags before the address",
      to(p.router, "unoswap(address,uint256,uint256,uint256[])", [
        p.token,
        5n,
        1n,
        [BigInt(`0x80000000000000003b6d0340${bad.slice(2)}`)],
      ]),
    ],
    [
      "a transfer whose address has dirty bytes before it",
      transaction({ to: p.token, data: `0xa9059cbb${"f".repeat(24)}${bad.slice(2)}${"5".padStart(64, "0")}` }),
    ],
    ["an address right behind the selector", transaction({ to: p.router, data: `0xdeadbeef${bad.slice(2)}` })],
    ["an address at an odd offset", transaction({ to: p.router, data: `0xdeadbeef07070707${bad.slice(2)}0707` })],
    ["calldata that is an address alone", transaction({ to: p.router, data: bad })],
    ["an address in code that becomes a contract", transaction({ data: `0x6080604073${bad.slice(2)}5b` })],
  ])("%s", (_name, event) => expectBlock(event));

  test.each(Array.from({ length: 64 }, (_, at) => at))("at byte %i of an unknown call", (at) =>
    expectBlock(transaction({ to: p.router, data: `0xdeadbeef${"07".repeat(at)}${bad.slice(2)}${"07".repeat(9)}` })),
  );
});

function transferSigned(how: "transfer" | "receive"): string {
  return `${how}WithAuthorization(address,address,uint256,uint256,uint256,bytes32,uint8,bytes32,bytes32)`;
}

function signed() {
  return [bytes32, 27, bytes32, bytes32] as const;
}

test.each([
  ["half a byte off", `0xdeadbeef0${bad.slice(2)}0`],
  ["one byte short", `0xdeadbeef${bad.slice(2, -2)}`],
  ["its last byte another", `0xdeadbeef${bad.slice(2, -2)}77`],
])("digits that are no listed address match none: %s", async (_name, data) => {
  const { reasons } = await verdictOn(transaction({ to: p.router, data }), listed);

  expect(reasons.map(({ check }) => check)).not.toContain("listed");
});

test("a revocation beside packed bytes that name the same address is blocked", () =>
  expectBlock(
    transaction({
      to: p.multiSendContract,
      data: multiSendOf([
        { to: p.token, data: calldata("approve(address,uint256)", [party, 0n]) },
        { to: p.router, data: encodePacked(["bytes4", "address"], ["0xdeadbeef", party]) },
      ]),
    }),
  ));

const paidFriend = { to: p.friend, value: "1" };

test.each([
  ["as JSON-RPC has it", { access_list: [{ address: bad, storageKeys: [] }] }],
  ["as viem has it, by its checksum", { accessList: [{ address: getAddress(bad), storageKeys: [bytes32] }] }],
  ["as pairs", { access_list: [[bad, [bytes32]]] }],
  ["as a map", { access_list: { [bad]: [] } }],
  ["without 0x", { access_list: [{ address: bad.slice(2) }] }],
  ["as a word", { access_list: [{ address: `0x${padded(bad)}` }] }],
  ["behind a blank", { access_list: [{ address: ` ${bad}` }] }],
])("a listed contract in an access list is blocked: %s", (_name, fields) =>
  expectBlock(transaction({ ...paidFriend, ...fields })),
);

test("a listed account that gives an authorization is blocked", () =>
  expectBlock(transaction({ ...paidFriend, authorization_list: [{ address: p.token, authority: bad }] })));

test("an access list without listed contracts is no reason", async () => {
  const access_list = [{ address: p.token, storageKeys: [bytes32] }];
  const { reasons } = await verdictOn(transaction({ ...paidFriend, access_list }), listed);

  expect(reasons.map(({ check }) => check)).not.toContain("listed");
});

const revocation = calldata("approve(address,uint256)", [party, 0n]);
const packedPath = calldata("exactInput((bytes,address,uint256,uint256))", [
  [encodePacked(["address", "uint24", "address"], [p.token, 3000, party]), p.me, 5n, 0n],
]);

test.each([
  ["a path that names it", packedPath],
  ["an amount that names it", calldata("transfer(address,uint256)", [p.friend, BigInt(party)])],
])("a revocation that a multicall repeats excuses at most one mention, and not %s", (_name, other) =>
  expectBlock(transaction({ to: p.token, data: aliasedMulticall([revocation, other], [0, 0, 1]) })),
);

test("a multicall of revocations, each with its own bytes, is no reason", async () => {
  const data = aliasedMulticall([revocation, revocation], [0, 1]);
  const { reasons } = await verdictOn(transaction({ to: p.token, data }), listed);

  expect(reasons.map(({ check }) => check)).not.toContain("listed");
});

const PERMIT_OF_TWO = "permit(address,((address,uint160,uint48,uint48)[],address,uint256),bytes)";
const nothing = (token: Hex) => [token, 0n, 2_000_000_000, 0] as const;
const permitOfTwo = [p.me, [[nothing(p.token), nothing(p.collection)], party, 2_000_000_000n], signature];

test("a permit of two tokens names its spender once, and excuses one mention", () =>
  expectBlock(
    transaction({
      to: p.multiSendContract,
      data: multiSendOf([
        { to: p.permit2, data: calldata(PERMIT_OF_TWO, permitOfTwo) },
        { to: p.router, data: encodePacked(["bytes4", "address"], ["0xdeadbeef", party]) },
      ]),
    }),
  ));

test.each([
  ["permits of two tokens and nothing of them", to(p.permit2, PERMIT_OF_TWO, permitOfTwo)],
  ["allowances by Permit2's lockdown", to(p.permit2, "lockdown((address,address)[])", [[[p.token, party]]])],
  ["an allowance by steps", to(p.token, "decreaseAllowance(address,uint256)", [party, 5n])],
  ["a permit of nothing", to(p.token, p.PERMIT, p.permitArguments(p.me, party, 0n))],
])("revoking rights from a listed address is not blocked: %s", async (_name, event) => {
  const { reasons } = await verdictOn(event, listed);

  expect(reasons.map(({ check }) => check)).not.toContain("listed");
});
