import { AccountRole, type Address, type Instruction, isOffCurveAddress } from "@solana/kit";
import { isWritable, type Message, readMessageAlone } from "../../../src/chains/solana/message/message.ts";
import type { InnerInstruction, Simulation, Simulator } from "../../../src/service/solana-transactions/simulator.ts";
import { messageBytes } from "../../fixtures/solana/world.ts";

const SIGNS: Readonly<Record<number, AccountRole>> = {
  [AccountRole.READONLY_SIGNER]: AccountRole.READONLY,
  [AccountRole.WRITABLE_SIGNER]: AccountRole.WRITABLE,
};

/**
 * The call of a program that makes the calls `inside`. It names all accounts of the inner calls. Accounts without a key
 * sign only inside, as a program signs for the addresses that it derives.
 */
export function callOf(program: Address, inside: readonly Instruction[]): Instruction {
  const named = inside.flatMap(({ accounts = [], programAddress }) => [
    ...accounts.map(({ address, role }) => ({
      address,
      role: isOffCurveAddress(address) ? (SIGNS[role] ?? role) : role,
    })),
    { address: programAddress, role: AccountRole.READONLY },
  ]);
  return { programAddress: program, accounts: named, data: Uint8Array.of(9) };
}

/**
 * A program that no local machine has, as far as balances and calls show it. The first call of `program` really runs
 * `inside`, which then appears as the program's inner calls. Only for messages that succeed, and without lookup tables.
 */
export function withService(simulator: Simulator, program: Address, inside: readonly Instruction[]): Simulator {
  return {
    simulate: async (messages, sequence) => {
      const flat = messages.map((message) => flattened(message, program, inside));
      const simulated = await simulator.simulate(flat, sequence);
      if (!simulated.ok) return simulated;
      const simulations = simulated.simulations.map((simulation, i) => {
        const [message, ran] = [messages[i], flat[i]];
        if (message === undefined || ran === undefined) throw new Error("a simulation of nothing");
        return folded(simulation, message, ran, placeOfCall(message, program), inside.length);
      });
      return { ok: true, simulations };
    },
  };
}

function placeOfCall(message: Message, program: Address): number {
  return message.instructions.findIndex((each) => message.staticKeys[each.program] === program);
}

function flattened(message: Message, program: Address, inside: readonly Instruction[]): Message {
  const at = placeOfCall(message, program);
  if (at === -1) return message;
  const keyAt = (place: number) => message.staticKeys[place] as Address;
  const roleOf = (place: number) => (place < message.signers ? 2 : 0) + (isWritable(message, place) ? 1 : 0);
  const named = message.instructions.map((each) => ({
    programAddress: keyAt(each.program),
    accounts: [...each.accounts].map((place) => ({ address: keyAt(place), role: roleOf(place) as AccountRole })),
    data: each.data,
  }));
  const bytes = messageBytes(named.toSpliced(at, 1, ...(inside as typeof named)), {
    version: message.version,
    payer: keyAt(0),
  });
  const read = readMessageAlone(bytes);
  if (!read.ok) throw new Error(read.detail);
  return read.value;
}

function folded(simulation: Simulation, { staticKeys }: Message, ran: Message, at: number, count: number): Simulation {
  if (at === -1) return simulation;
  if (simulation.error !== undefined) throw new Error("the double stands for what succeeds");
  const placeOf = (place: number) => staticKeys.indexOf(ran.staticKeys[place] ?? "");
  const moved = ({ program, accounts, data }: InnerInstruction) => ({
    program: placeOf(program),
    accounts: accounts.map(placeOf),
    data,
  });
  const inner = simulation.inner.map((each) => each.map(moved));
  const under = ran.instructions.slice(at, at + count).flatMap((each, i) => [moved(each), ...(inner[at + i] ?? [])]);
  return { ...simulation, accounts: staticKeys, inner: inner.toSpliced(at, count, under) };
}
