import { AccountRole, type Address, type Instruction } from "@solana/kit";
import { type Message, readMessageAlone } from "../../../src/chains/solana/message.ts";
import type { InnerInstruction, Simulation, Simulator } from "../../../src/service/solana-emulate/simulator.ts";

/** The call of a program that does `inside`: it names all accounts of that. */
export function callOf(program: Address, inside: readonly Instruction[]): Instruction {
  const named = inside.flatMap(({ accounts = [], programAddress }) => [
    ...accounts.map(({ address, role }) => ({ address, role })),
    { address: programAddress, role: AccountRole.READONLY },
  ]);
  return { programAddress: program, accounts: named, data: Uint8Array.of(9) };
}

/**
 * A program that no machine here has, as far as balances and calls show it: the first call of `program` does `inside`, which
 * really runs, and shows as what the program called. Only for messages that succeed, and without lookup tables.
 */
export function withService(simulator: Simulator, program: Address, inside: readonly Instruction[]): Simulator {
  return {
    simulate: async (messages, sequence) => {
      const flat = messages.map((message) => flattened(message, program, inside));
      const simulated = await simulator.simulate(flat, sequence);
      if (!simulated.ok) return simulated;
      const simulations = simulated.simulations.map((simulation, i) =>
        folded(simulation, flat[i]?.instructions ?? [], placeOfCall(messages[i], program), inside.length),
      );
      return { ok: true, simulations };
    },
  };
}

function placeOfCall(message: Message | undefined, program: Address): number {
  return message?.instructions.findIndex((each) => message.staticKeys[each.program] === program) ?? -1;
}

function flattened(message: Message, program: Address, inside: readonly Instruction[]): Message {
  const at = placeOfCall(message, program);
  if (at === -1) return message;
  const placeOf = (address: Address) => message.staticKeys.indexOf(address);
  const compiled = inside.map(({ programAddress, accounts = [], data = new Uint8Array() }) => ({
    program: placeOf(programAddress),
    accounts: Uint8Array.from(accounts.map(({ address }) => placeOf(address))),
    data: Uint8Array.from(data),
  }));
  const instructions = message.instructions.toSpliced(at, 1, ...compiled);
  const body = instructions.flatMap((each) => [
    each.program,
    each.accounts.length,
    ...each.accounts,
    each.data.length,
    ...each.data,
  ]);
  const head = message.bytes.subarray(0, message.bytes.length - bodyBytes(message));
  const lookups = message.version === 0 ? [0] : [];
  const read = readMessageAlone(Uint8Array.from([...head, instructions.length, ...body, ...lookups]));
  if (!read.ok) throw new Error(read.detail);
  return read.value;
}

/** Bytes behind the blockhash. All counts fit one byte: these messages are small. */
function bodyBytes({ instructions, version }: Message): number {
  const each = instructions.map(({ accounts, data }) => 3 + accounts.length + data.length);
  return each.reduce((sum, bytes) => sum + bytes, 1) + (version === 0 ? 1 : 0);
}

function folded(simulation: Simulation, flat: readonly InnerInstruction[], at: number, count: number): Simulation {
  if (at === -1) return simulation;
  if (simulation.error !== undefined) throw new Error("the double stands for what succeeds");
  const under = flat.slice(at, at + count).flatMap((each, i) => [each, ...(simulation.inner[at + i] ?? [])]);
  return { ...simulation, inner: simulation.inner.toSpliced(at, count, under) };
}
