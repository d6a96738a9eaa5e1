import { readFileSync } from "node:fs";
import { Common, Hardfork, Mainnet } from "@ethereumjs/common";
import { createEVM, type EVM, type EVMResult } from "@ethereumjs/evm";
import { type Address, bytesToHex, createAccount, createAddressFromString, hexToBytes } from "@ethereumjs/util";
import { type CanonicalAddress, parseAddress } from "../../../src/chains/address.ts";
import { tronHexOf } from "../../../src/chains/tron/tron-address.ts";

const file = new URL("../../fixtures/tron/contracts/contracts.json", import.meta.url);
const { codes }: { readonly codes: Readonly<Record<string, string>> } = JSON.parse(readFileSync(file, "utf8"));

const GAS = 5_000_000n;

/** The result of one run, all in hex. */
export interface Run {
  readonly error: string | undefined;
  readonly returned: string;
  readonly gasUsed: number;
  readonly logs: readonly { readonly address: string; readonly topics: readonly string[]; readonly data: string }[];
  /** Payments of coins during the run. */
  readonly payments: readonly { readonly from: string; readonly to: string; readonly value: bigint }[];
}

/**
 * Test contracts in Solidity on an EVM, under TRON's addresses. An EVM differs from TRON's machine: its gas is not
 * energy, and TRON's additional instructions are missing.
 */
export class Machine {
  readonly #evm: EVM;
  /** The payments of the current run. */
  #payments: { readonly from: string; readonly to: string; readonly value: bigint }[] = [];
  /** Runs wait for one another, since the machine has one state. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(evm: EVM) {
    this.#evm = evm;
  }

  static async start(): Promise<Machine> {
    const machine = new Machine(
      await createEVM({ common: new Common({ chain: Mainnet, hardfork: Hardfork.Shanghai }) }),
    );
    machine.#evm.events?.on("beforeMessage", ({ depth, caller, to, value }, resolve) => {
      if (depth > 0 && value > 0n && to !== undefined)
        machine.#payments.push({ from: caller.toString().slice(2), to: to.toString().slice(2), value });
      resolve?.();
    });
    return machine;
  }

  /** Deploys a contract of test/fixtures/tron/contracts, with the arguments of its constructor as words of hex. */
  async deploy(name: string, by: CanonicalAddress, ...words: readonly string[]): Promise<CanonicalAddress> {
    const data = hexToBytes(`0x${codes[name]}${words.join("")}`);
    const result = await this.#inTurn(() => this.#evm.runCall({ caller: addressOf(by), data, gasLimit: GAS }));
    const { createdAddress, execResult } = result;
    if (createdAddress === undefined || execResult.exceptionError !== undefined) throw new Error(`no ${name}`);
    return canonical(createdAddress.toString().slice(2));
  }

  /** Runs a call and keeps its effects. */
  async send(from: CanonicalAddress, contract: CanonicalAddress, data: string): Promise<Run> {
    const run = await this.#inTurn(() => this.#run(from, contract, data, 0n));
    if (run.error !== undefined) throw new Error(run.error);
    return run;
  }

  /** Runs a call and reverts its effects. */
  async look(from: CanonicalAddress, contract: CanonicalAddress, data: string, value: bigint): Promise<Run> {
    return this.#inTurn(async () => {
      await this.#evm.stateManager.checkpoint();
      try {
        return await this.#run(from, contract, data, value);
      } finally {
        await this.#evm.stateManager.revert();
      }
    });
  }

  /** The code at an address, in hex; empty where there is none. */
  async code(contract: CanonicalAddress): Promise<string> {
    return bytesToHex(await this.#inTurn(() => this.#evm.stateManager.getCode(addressOf(contract)))).slice(2);
  }

  async #run(from: CanonicalAddress, to: CanonicalAddress, data: string, value: bigint): Promise<Run> {
    this.#payments = [];
    const caller = addressOf(from);
    if (value > 0n) await this.#evm.stateManager.putAccount(caller, createAccount({ balance: value }));
    const call = { caller, origin: caller, to: addressOf(to), value, gasLimit: GAS };
    const result = await this.#evm.runCall({ ...call, data: hexToBytes(`0x${data}`) });
    return { ...runOf(result), payments: this.#payments };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

function runOf({ execResult }: EVMResult): Omit<Run, "payments"> {
  return {
    error: execResult.exceptionError?.error,
    returned: bytesToHex(execResult.returnValue).slice(2),
    gasUsed: Number(execResult.executionGasUsed),
    logs: (execResult.logs ?? []).map(([address, topics, data]) => ({
      address: bytesToHex(address).slice(2),
      topics: topics.map((topic) => bytesToHex(topic).slice(2)),
      data: bytesToHex(data).slice(2),
    })),
  };
}

function addressOf(address: CanonicalAddress): Address {
  return createAddressFromString(`0x${tronHexOf(address).slice(2)}`);
}

export function canonical(hex: string): CanonicalAddress {
  const parsed = parseAddress("tron", hex.length === 40 ? `41${hex}` : hex);
  if (!parsed.ok) throw new Error(parsed.detail);
  return parsed.value;
}
