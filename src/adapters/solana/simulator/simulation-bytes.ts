import type { AccountState, Accounts } from "../../../chains/solana/accounts/account-state.ts";
import type { TransactionError } from "../../../chains/solana/message/transaction-error.ts";
import type { InnerInstruction, Simulation } from "../../../service/solana-transactions/simulator.ts";
import { BytesReader, BytesWriter } from "./plain-bytes.ts";

/**
 * Simulations as one piece of memory, which moves between threads without a copy. As objects they are hundreds of small
 * ones, and copying them takes as long as the runs themselves.
 */
export interface PackedSimulations {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly errors: readonly (TransactionError | undefined)[];
}

/** Texts such as owners and mints repeat often: the first occurrence is written in full, and later ones by number. */
export function packSimulations(simulations: readonly Simulation[]): PackedSimulations {
  const writer = new BytesWriter();
  for (const { slot, computeUnits, accounts, inner, before, after, mints } of simulations) {
    writer.float(slot);
    writer.float(computeUnits);
    writer.list(accounts, (account) => writer.text(account ?? ""));
    writer.list(inner, (each) => writer.list(each, (instruction) => writeInner(writer, instruction)));
    for (const states of [before, after, mints]) {
      writer.list([...states], ([address, state]) => {
        writer.text(address);
        writeState(writer, state);
      });
    }
  }
  return { bytes: writer.written(), errors: simulations.map(({ error }) => error) };
}

/** Restores the simulations of `packSimulations`. Data of accounts and instructions are views of `bytes`. */
export function unpackSimulations({ bytes, errors }: PackedSimulations): readonly Simulation[] {
  const reader = new BytesReader(bytes);
  const states = (): Accounts => new Map(reader.list(() => [reader.text(), readState(reader)] as const));
  return errors.map((error) => ({
    slot: reader.float(),
    computeUnits: reader.float(),
    accounts: reader.list(() => reader.text() || undefined),
    inner: reader.list(() => reader.list(() => readInner(reader))),
    before: states(),
    after: states(),
    mints: states(),
    error,
  }));
}

/** Local machines return the bytes of every instruction, so `unread` is never set. */
function writeInner(writer: BytesWriter, { program, accounts, data }: InnerInstruction): void {
  writer.integer(program);
  writer.bytes(accounts);
  writer.bytes(data);
}

function readInner(reader: BytesReader): InnerInstruction {
  return { program: reader.integer(), accounts: reader.bytes(), data: reader.bytes() };
}

function writeState(writer: BytesWriter, { lamports, owner, executable, data }: AccountState): void {
  writer.long(lamports);
  writer.text(owner);
  writer.integer(executable ? 1 : 0);
  writer.bytes(data);
}

function readState(reader: BytesReader): AccountState {
  return { lamports: reader.long(), owner: reader.text(), executable: reader.integer() === 1, data: reader.bytes() };
}
