/** Source: Solana, "Transaction format". The bytes are those that @solana/kit makes. */
import {
  AccountRole,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  decompileTransactionMessage,
  getCompiledTransactionMessageDecoder,
  type Instruction,
} from "@solana/kit";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountsOf } from "../../../../../src/chains/solana/accounts/lookup-table.ts";
import { compileMessage } from "../../../../../src/chains/solana/message/compile-message.ts";
import { isWritable, readMessageAlone, readTransaction } from "../../../../../src/chains/solana/message/message.ts";
import { programs } from "../../../../../src/chains/solana/programs.ts";
import * as w from "../../../../fixtures/solana/world.ts";

const instruction: Instruction = {
  programAddress: w.named(200),
  accounts: [
    { address: w.friend, role: AccountRole.WRITABLE },
    { address: w.thief, role: AccountRole.READONLY_SIGNER },
    { address: w.mint, role: AccountRole.READONLY },
    { address: w.otherMint, role: AccountRole.WRITABLE },
  ],
  data: Uint8Array.from([1, 2, 3]),
};

/** The meaning of compiled bytes according to kit. */
function decompiled(compiled: CompiledTransactionMessage & CompiledTransactionMessageWithLifetime) {
  const message = decompileTransactionMessage(compiled);
  const instructions: readonly Instruction[] = message.instructions;
  return { feePayer: message.feePayer.address, instructions };
}

function read(bytes: Uint8Array) {
  const message = readTransaction(bytes);
  if (!message.ok) throw new Error(message.detail);
  return message.value;
}

test("a message of version 0 with a table holds static accounts and indexes in the table", () => {
  const table = w.named(50);
  const bytes = w.messageBytes([instruction], { tables: { [table]: [w.named(1), w.otherMint, w.mint] } });

  const message = read(w.wireOf(bytes));

  expect(message).toMatchObject({ version: 0, signers: 2, readonlySigners: 1, bytes });
  expect(message.lookups).toEqual([{ table, writable: Uint8Array.of(1), readonly: Uint8Array.of(2) }]);
  const keys = new Uint8Array(56 + 96);
  for (const [i, n] of [1, 22, 21].entries()) keys.fill(n, 56 + 32 * i, 88 + 32 * i);
  const account = { lamports: 1n, owner: programs.addressLookupTable, executable: false, data: keys };
  expect(accountsOf(message, () => account).slice(-2)).toEqual([w.otherMint, w.mint]);
  expect(accountsOf(message, () => undefined).slice(-2)).toEqual([undefined, undefined]);
  expect(accountsOf(message, () => ({ ...account, owner: programs.system })).slice(-2)).toEqual([undefined, undefined]);
  expect(accountsOf(message, () => ({ ...account, data: keys.subarray(0, 120) })).slice(-2)).toEqual([
    w.otherMint,
    undefined,
  ]);
  const writable = accountsOf(message, () => account).filter((_, place) => isWritable(message, place));
  expect(writable).toEqual([w.user, w.friend, w.otherMint]);
});

test("a message with signatures and one without are the same message", () => {
  const bytes = w.messageBytes([instruction], { version: "legacy" });

  expect(read(w.wireOf(bytes))).toEqual(read(bytes));
});

test("bytes that are valid both with and without a signature are refused", () => {
  // As a message alone: two keys, a blockhash, and one instruction with 30 bytes. With a signature of 64 bytes: one
  // key, no instruction.
  const both = new Uint8Array(134);
  for (const [at, byte] of [
    [0, 1],
    [3, 2],
    [65, 1],
    [68, 1],
    [100, 1],
    [101, 1],
    [103, 30],
  ] as const)
    both[at] = byte;

  expect(readMessageAlone(both).ok).toBe(true);
  expect(readMessageAlone(both.subarray(65)).ok).toBe(true);
  expect(readTransaction(both)).toEqual({
    ok: false,
    detail: "reads as a transaction and as a message without signatures",
  });
});

describe("a message that a node would refuse before it loads accounts", () => {
  const bytes = w.messageBytes([instruction], { version: "legacy" });
  const changed = (at: number, value: number) => Uint8Array.from(bytes, (byte, i) => (i === at ? value : byte));
  test.each([
    ["no signer", changed(0, 0), "has no fee payer who may be charged"],
    ["a fee payer who is only read", changed(1, 2), "has no fee payer who may be charged"],
    ["more readonly accounts than there are", changed(2, 5), "names fewer accounts than its header says"],
    ["a program that is no account", changed(4 + 192 + 32 + 1, 6), "instruction 0 names no program among its accounts"],
    ["a program that pays", changed(4 + 192 + 32 + 1, 0), "instruction 0 names no program among its accounts"],
    ["an account that is none", changed(4 + 192 + 32 + 3, 6), "instruction 0 names account 6 of 6"],
    [
      "a length in two bytes that needs one",
      Uint8Array.from([1, 0, 0, 0x81, 0, ...new Uint8Array(65)]),
      "holds a length that is not in its shortest form",
    ],
  ])("%s", (_what, broken, detail) => {
    expect(readMessageAlone(broken)).toEqual({ ok: false, detail });
  });
});

test("kit reads compiled messages with the contents that were put in", () => {
  const anAddress = fc.integer({ min: 1, max: 9 }).map(w.named);
  const anAccount = fc.record({ address: anAddress, isSigner: fc.boolean(), isWritable: fc.boolean() });
  const anInstruction = fc.record({
    program: fc.integer({ min: 100, max: 103 }).map(w.named),
    accounts: fc.array(anAccount, { maxLength: 6 }),
    data: fc.uint8Array({ maxLength: 20 }),
  });
  fc.assert(
    fc.property(anAddress, fc.array(anInstruction, { maxLength: 6 }), (payer, instructions) => {
      const message = compileMessage(payer, instructions);
      if (!message.ok) throw new Error(message.detail);
      const compiled = getCompiledTransactionMessageDecoder().decode(message.value.bytes);
      const { feePayer, instructions: theirs } = decompiled(compiled);

      expect(feePayer).toBe(payer);
      expect(theirs.map(({ programAddress, data = [] }) => [programAddress, [...data]])).toEqual(
        instructions.map(({ program, data }) => [program, [...data]]),
      );
      for (const [i, { accounts = [] }] of theirs.entries()) {
        expect(accounts.map(({ address }) => address)).toEqual(instructions[i]?.accounts.map(({ address }) => address));
      }
      const all = instructions.flatMap(({ accounts }) => accounts);
      for (const { address, role } of theirs.flatMap(({ accounts = [] }) => accounts)) {
        const uses = all.filter((each) => each.address === address);
        const signs = address === payer || uses.some(({ isSigner }) => isSigner);
        const writes = address === payer || uses.some((each) => each.isWritable);
        expect(role).toBe((signs ? 2 : 0) + (writes ? 1 : 0));
      }
      expect(message.value).toEqual(read(message.value.bytes));
    }),
  );
});

test("random bytes are refused or read in full, and never throw", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      const message = readTransaction(bytes);
      expect(message.ok ? message.value.bytes.length : message.detail.length).toBeGreaterThan(0);
    }),
    { numRuns: 2_000 },
  );
});

test("a transaction with any one bit flipped is refused or is another message", () => {
  const wire = w.wireOf(w.messageBytes([instruction]));
  fc.assert(
    fc.property(fc.integer({ min: 0, max: wire.length * 8 - 1 }), (bit) => {
      const flipped = Uint8Array.from(wire, (byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
      const message = readTransaction(flipped);
      const isSignature = bit >> 3 >= 1 && bit >> 3 < 1 + 64 * 2;
      expect(message.ok && Buffer.from(message.value.bytes).equals(wire.subarray(129))).toBe(isSignature);
    }),
    { numRuns: 500 },
  );
});
