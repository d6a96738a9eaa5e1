/** One machine for many jobs: no job sees any effect of another. */
import { type Address, getProgramDerivedAddress } from "@solana/kit";
import { beforeEach, describe, expect, test } from "vitest";
import { VirtualMachine } from "../../../../../src/adapters/solana/simulator/virtual-machine.ts";
import type { AccountState } from "../../../../../src/chains/solana/accounts/account-state.ts";
import { keyBytes } from "../../../../../src/chains/solana/key.ts";
import { type Message, readTransaction } from "../../../../../src/chains/solana/message/message.ts";
import { programs } from "../../../../../src/chains/solana/programs.ts";
import { memo, pay, raw, read, sign, u32, u64, upgradeable, write } from "../../../../fixtures/solana/vectors.ts";
import * as w from "../../../../fixtures/solana/world.ts";

const [program, code] = [w.named(82), w.named(83)];
const [account, codeAccount] = upgradeable(program, code, memo);
const rich = [w.user, w.wallet(10n ** 11n)] as const;

function messageOf(...instructions: Parameters<typeof w.messageBytes>[0]): Message {
  const message = readTransaction(w.wireOf(w.messageBytes(instructions)));
  if (!message.ok) throw new Error(message.detail);
  return message.value;
}

const call = messageOf(raw(program, [104, 105], [sign(w.user)]));
let machine: VirtualMachine;
beforeEach(() => {
  machine = new VirtualMachine({ slot: 5, unixTimestamp: 0, accounts: new Map() });
});

function over(
  accounts: readonly (readonly [string, AccountState | undefined] | undefined)[],
  messages = [call],
  slot = 400_000_000,
) {
  const given = new Map(accounts.filter((each) => each !== undefined));
  return machine.simulateOver({ slot, accounts: given }, messages, messages.length > 1);
}

describe("a program", () => {
  const gone = { kind: "transaction", name: "ProgramAccountNotFound" };
  const none = { kind: "transaction", name: "InvalidProgramForExecution" };

  test("that a job does not name does not exist for it", () => {
    expect(over([rich, account, codeAccount])).toMatchObject([{ error: undefined }]);
    expect(over([rich, [program, undefined]])).toMatchObject([{ error: gone }]);
    expect(over([rich, [program, undefined], [code, undefined]])).toMatchObject([{ error: gone }]);
    expect(over([rich, account, codeAccount])).toMatchObject([{ error: undefined }]);
  });

  test("with a loader that does not exist is no program", () => {
    const strange = [program, { ...w.wallet(10n ** 9n), owner: w.named(99), executable: true }] as const;
    const ofLoader = [
      program,
      { ...w.wallet(10n ** 9n), owner: programs.loader, executable: true, data: memo },
    ] as const;

    expect(over([rich, strange])).toMatchObject([{ error: none }]);
    expect(over([rich, strange], [call, call])).toMatchObject([{ error: none }, { error: none }]);
    expect(over([rich, ofLoader, [programs.loader, undefined]])).toMatchObject([{ error: none }]);
    expect(over([rich, [program, undefined]])).toMatchObject([{ error: gone }]);
  });

  test("without lamports does not exist, and a call of it does not end the process", () => {
    const loaded = { owner: programs.loader, executable: true, data: memo };

    expect(over([rich, [program, { ...loaded, lamports: 1n }]])).toMatchObject([{ error: undefined }]);
    expect(over([rich, [program, { ...loaded, lamports: 0n }]])).toMatchObject([{ error: gone }]);
    const snapshot = new VirtualMachine({
      slot: 5,
      unixTimestamp: 0,
      accounts: new Map([rich, [program, { ...loaded, lamports: 0n }]]),
    });
    expect(snapshot.simulate([call], false)).toMatchObject([{ error: gone }]);
  });

  test("counts with its code, which the machine never releases", () => {
    over([rich, account, codeAccount]);
    const once = machine.codeBytes;
    over([rich, account, codeAccount]);
    const [, other] = upgradeable(program, code, Uint8Array.from([...memo, 0]));
    over([rich, account, other]);

    expect([once, machine.codeBytes]).toEqual([45 + memo.length, 3 * (45 + memo.length) + 1]);
  });

  test("with code that does not load is no program", () => {
    const [, broken] = upgradeable(program, code, new Uint8Array(500));

    expect(over([rich, account, broken])).toMatchObject([{ error: none }]);
    const accounts = new Map([rich, account, broken].filter((each) => each !== undefined));
    const snapshot = new VirtualMachine({ slot: 5, unixTimestamp: 0, accounts });
    expect(snapshot.simulate([call], false)).toMatchObject([{ error: none }]);
    expect(over([rich, account, codeAccount])).toMatchObject([{ error: undefined }]);
  });

  test.each([[[pay(7n)]], [[]]])("that a job deploys is gone after it, and a call of it is safe", async (more) => {
    const [deployedCode] = await getProgramDerivedAddress({
      programAddress: programs.upgradeableLoader as Address,
      seeds: [keyBytes(program)],
    });
    const buffer = w.named(84);
    const deploy = raw(
      programs.upgradeableLoader,
      [...u32(2), ...u64(BigInt(memo.length))],
      [
        { address: w.user, role: 3 },
        write(deployedCode),
        write(program),
        write(buffer),
        read("SysvarRent111111111111111111111111111111111"),
        read("SysvarC1ock11111111111111111111111111111111"),
        read(programs.system),
        sign(w.user),
      ],
    );
    const owned = { owner: programs.upgradeableLoader, executable: false };
    const bufferAccount = {
      ...owned,
      lamports: 10n ** 9n,
      data: Uint8Array.from([...u32(1), 1, ...keyBytes(w.user), ...memo]),
    };
    const accounts = [
      rich,
      [program, { ...owned, lamports: 1_141_440n, data: new Uint8Array(36) }],
      [buffer, bufferAccount],
    ] as const;

    const [deployed] = over(accounts, [messageOf(deploy), ...more.map((each) => messageOf(each))]);
    const [after] = over([rich, [program, undefined]]);

    expect([deployed?.error, deployed?.after.get(program)?.executable]).toEqual([undefined, true]);
    expect(after?.error).toEqual(gone);
  });
});

test("accounts, slot and sysvars are restored", () => {
  const clock = "SysvarC1ock11111111111111111111111111111111";
  const time = {
    lamports: 1n,
    owner: "Sysvar1111111111111111111111111111111111111",
    executable: false,
    data: Uint8Array.from([...u64(400_000_000n), ...u64(0n), ...u64(0n), ...u64(0n), ...u64(1_750_000_000n)]),
  };
  const [first] = over([rich, [w.friend, w.wallet(5_000_000n)], [clock, time]], [messageOf(pay(7n))]);
  const [second] = machine.simulate([messageOf(pay(7n))], false);

  expect([first?.slot, first?.error, first?.after.get(w.friend)?.lamports]).toEqual([
    400_000_000,
    undefined,
    5_000_007n,
  ]);
  expect([second?.slot, second?.error]).toEqual([5, { kind: "transaction", name: "AccountNotFound" }]);
});
