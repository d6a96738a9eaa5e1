import { expect, test } from "vitest";
import { requestParser } from "../../../../src/api/requests/request.ts";
import { SolanaTransaction } from "../../../../src/api/schemas/solana-emulate.ts";
import { UPGRADEABLE_LOADER } from "../../../../src/worker/simulation/decoder.ts";
import { withStructured } from "../../../../src/worker/simulation/structured-locks.ts";
import { account } from "../../../fakes/solana/transactions.ts";

const [payer, receiver, mint, program, other] = [1, 2, 3, 4, 5].map(account);
const decoder = withStructured({ locksOf: () => undefined });
const parse = requestParser(SolanaTransaction);

function locksOf(body: unknown) {
  const parsed = parse(body);
  if (!parsed.ok) throw new Error(parsed.detail);
  return decoder.locksOf(parsed.value);
}

const reads = (pubkey: unknown) => ({ pubkey, isWritable: false });
const writes = (pubkey: unknown) => ({ pubkey, isWritable: true });

test("a structured transaction states its locks itself", () => {
  const keys = [writes(receiver), { pubkey: mint, isSigner: true }];

  const locks = locksOf({ feePayer: payer, instructions: [{ programId: program, keys }] });

  expect(locks).toEqual({
    feePayer: payer,
    writable: [payer, receiver],
    named: [payer, receiver, mint, program],
    usesLookupTables: false,
    callsUpgradeableLoader: false,
  });
});

test("the fee payer is writable even if an instruction only reads it", () => {
  const locks = locksOf({ feePayer: payer, instructions: [{ programId: program, keys: [reads(payer)] }] });

  expect(locks?.writable).toEqual([payer]);
});

test("an account that one instruction writes is writable, whatever another instruction says", () => {
  const instructions = [reads(mint), writes(mint), reads(mint)].map((key) => ({ programId: program, keys: [key] }));

  const locks = locksOf({ feePayer: payer, instructions });

  expect(locks?.writable).toEqual([payer, mint]);
});

test("field names count in both spellings", () => {
  const keys = [{ pubkey: receiver, is_writable: true }];

  const locks = locksOf({ fee_payer: payer, instructions: [{ program_id: program, keys }] });

  expect(locks?.writable).toEqual([payer, receiver]);
});

test("without instructions only the fee payer is locked", () => {
  expect(locksOf({ feePayer: payer, instructions: [] })).toMatchObject({ writable: [payer], named: [payer] });
});

test.each([
  ["calls", { programId: UPGRADEABLE_LOADER, keys: [writes(other)] }],
  ["hands to a program that may call it", { programId: program, keys: [reads(UPGRADEABLE_LOADER)] }],
])("the upgradeable loader is found if an instruction %s it", (_how, instruction) => {
  const locks = locksOf({ feePayer: payer, instructions: [instruction] });

  expect(locks?.callsUpgradeableLoader).toBe(true);
});

test.each([
  ["the fee payer", { feePayer: "nobody", instructions: [] }],
  ["a program", { feePayer: payer, instructions: [{ programId: ` ${program}`, keys: [] }] }],
  ["a key", { feePayer: payer, instructions: [{ programId: program, keys: [reads(`${mint}\n`)] }] }],
])("locks are unknown if %s is no address", (_what, body) => {
  expect(locksOf(body)).toBeUndefined();
});

test("locks are unknown for more accounts than a message can refer to", () => {
  const naming = (count: number) => [
    { programId: program, keys: Array.from({ length: count - 2 }, (_, i) => reads(account(100 + i))) },
  ];

  expect(locksOf({ feePayer: payer, instructions: naming(256) })?.named).toHaveLength(256);
  expect(locksOf({ feePayer: payer, instructions: naming(257) })).toBeUndefined();
});

test("a serialized transaction is left to its decoder", () => {
  const locks = { feePayer: "a", writable: ["a"], named: ["a"], usesLookupTables: true, callsUpgradeableLoader: false };
  const serialized = { transaction: "AQID", encoding: "base64" } as const;

  const read = withStructured({ locksOf: (item) => (item === serialized ? locks : undefined) }).locksOf(serialized);

  expect(read).toBe(locks);
});
