/**
 * Any transaction over any accounts has a result, and leaves no state. On an internal error the runtime ends the whole
 * process, which no test survives.
 */
import type { Instruction } from "@solana/kit";
import fc from "fast-check";
import { expect, test } from "vitest";
import { VirtualMachine } from "../../../../../src/adapters/solana/simulator/virtual-machine.ts";
import type { AccountState } from "../../../../../src/chains/solana/accounts/account-state.ts";
import { compileMessage, type NamedInstruction } from "../../../../../src/chains/solana/message/compile-message.ts";
import { type Message, readMessageAlone } from "../../../../../src/chains/solana/message/message.ts";
import { programs } from "../../../../../src/chains/solana/programs.ts";
import { failing } from "../../../../fixtures/solana/failing-vectors.ts";
import { nativeFailing, nativeSucceeding } from "../../../../fixtures/solana/native-vectors.ts";
import { CLOCK, pay, send, succeeding } from "../../../../fixtures/solana/vectors.ts";
import * as w from "../../../../fixtures/solana/world.ts";
import { propertyRuns } from "../../../../support/property-runs.ts";

const vectors = [...succeeding, ...nativeSucceeding, ...failing, ...nativeFailing].filter(
  ({ instructions }) => instructions.length > 0,
);
/** Owners of the network, and some that it lacks. */
const owners = [
  ...Object.values(programs),
  "LoaderV411111111111111111111111111111111111",
  "Feature111111111111111111111111111111111111",
];
const anOwner = fc.constantFrom(...owners);
const someBytes = fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 6 });
const changedAt = (bytes: Uint8Array, changes: readonly (readonly [number, number])[]) =>
  bytes.length === 0 ? bytes : changes.reduce((all, [at, byte]) => all.with(at % all.length, byte), bytes);

type Changed<T> = fc.Arbitrary<(value: T) => T>;
const anAccountChange: Changed<AccountState> = fc.oneof(
  anOwner.map((owner) => (account: AccountState) => ({ ...account, owner })),
  someBytes.map((changes) => (account: AccountState) => ({ ...account, data: changedAt(account.data, changes) })),
  fc
    .nat({ max: 400 })
    .map((length) => (account: AccountState) => ({ ...account, data: account.data.slice(0, length) })),
  fc.constant((account: AccountState) => ({ ...account, executable: !account.executable })),
  fc
    .constantFrom(0n, 1n, 10n ** 18n, 2n ** 64n - 1n)
    .map((lamports) => (account: AccountState) => ({ ...account, lamports })),
);
const anInstructionChange: Changed<NamedInstruction> = fc.oneof(
  anOwner.map((program) => (one: NamedInstruction) => ({ ...one, program })),
  someBytes.map((changes) => (one: NamedInstruction) => ({ ...one, data: changedAt(one.data, changes) })),
  fc.uint8Array({ maxLength: 120 }).map((data) => (one: NamedInstruction) => ({ ...one, data })),
  fc.nat({ max: 8 }).map((count) => (one: NamedInstruction) => ({ ...one, accounts: one.accounts.slice(0, count) })),
  fc.tuple(fc.nat({ max: 7 }), anOwner).map(([place, address]) => (one: NamedInstruction) => ({
    ...one,
    accounts: one.accounts.map((account, i) => (i === place ? { ...account, address } : account)),
  })),
  fc
    .tuple(fc.nat({ max: 7 }), fc.boolean(), fc.boolean())
    .map(([place, isSigner, isWritable]) => (one: NamedInstruction) => ({
      ...one,
      accounts: one.accounts.map((account, i) => (i === place ? { ...account, isSigner, isWritable } : account)),
    })),
  fc.constant((one: NamedInstruction) => one),
);

function named({ programAddress, accounts = [], data = new Uint8Array() }: Instruction): NamedInstruction {
  const roles = accounts.map(({ address, role }) => ({ address, isSigner: role >= 2, isWritable: role % 2 === 1 }));
  return { program: programAddress, accounts: roles, data: Uint8Array.from(data) };
}

const aCase = fc.record({
  vector: fc.constantFrom(...vectors),
  accountChanges: fc.array(fc.tuple(fc.nat(), anAccountChange), { maxLength: 2 }),
  instructionChanges: fc.array(anInstructionChange, { minLength: 4, maxLength: 4 }),
  isSequence: fc.boolean(),
});

function messageOf(instructions: readonly Instruction[]): Message {
  const message = readMessageAlone(w.messageBytes(instructions));
  if (!message.ok) throw new Error(message.detail);
  return message.value;
}

const plain = [messageOf([pay(7n), send(5n)])];
const over = { slot: w.SLOT, accounts: w.world() };
const fresh = () => new VirtualMachine({ slot: undefined, unixTimestamp: 0, accounts: new Map() });

test("any transaction over any accounts has a result, and leaves no state behind", { timeout: 120_000 }, () => {
  const expected = fresh().simulateOver(over, plain, false);
  expect(expected).toMatchObject([{ error: undefined }]);
  let machine = fresh();
  fc.assert(
    fc.property(aCase, ({ vector, accountChanges, instructionChanges, isSequence }) => {
      // Loaded code is never released.
      if (machine.codeBytes > 32 * 1024 * 1024) machine = fresh();
      const accounts = w.world(vector.accounts);
      for (const [place, change] of accountChanges) {
        const [address, account] = [...accounts][place % accounts.size] ?? [];
        if (address !== undefined && account !== undefined) accounts.set(address, change(account));
      }
      const instructions = vector.instructions.map((one, i) => instructionChanges[i % 4]?.(named(one)) ?? named(one));
      const message = compileMessage(w.user, instructions);
      if (!message.ok) return;
      const messages = isSequence ? [message.value, message.value] : [message.value];

      expect(machine.simulateOver({ slot: w.SLOT, accounts }, messages, isSequence)).toHaveLength(messages.length);
      expect(machine.simulateOver(over, plain, false)).toEqual(expected);
    }),
    propertyRuns(400),
  );
});

test("the clock that a transaction changed is restored afterwards", () => {
  const clock = { lamports: 1n, owner: "Sysvar1111111111111111111111111111111111111", executable: false };
  const machine = fresh();
  const [before] = machine.simulateOver(over, plain, false);
  const told = new Map([...over.accounts, [CLOCK, { ...clock, data: new Uint8Array(40).fill(9) }]]);

  machine.simulateOver({ slot: 9, accounts: told }, plain, false);

  expect(machine.simulateOver(over, plain, false)).toEqual([before]);
});
