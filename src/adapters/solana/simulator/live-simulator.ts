import type { Message } from "../../../chains/solana/message/message.ts";
import type { Simulated, Simulation, Simulator } from "../../../service/solana-transactions/simulator.ts";
import { failureOf } from "../node/failure-of.ts";
import type { LiveAccounts } from "./live-accounts.ts";
import type { SimulatorPool } from "./simulator-pool.ts";
import { neededToRun } from "./wanted-accounts.ts";

/** Messages that share one read of accounts, and run on one thread. */
const TOGETHER = 8;

/** Runs transactions on local machines with the accounts of nodes: all transactions of a job at one slot. */
export class LiveSimulator implements Simulator {
  readonly #accounts: Pick<LiveAccounts, "load">;
  readonly #pool: Pick<SimulatorPool, "run">;
  readonly #timeoutMs: number;

  constructor(accounts: Pick<LiveAccounts, "load">, pool: Pick<SimulatorPool, "run">, timeoutMs: number) {
    this.#accounts = accounts;
    this.#pool = pool;
    this.#timeoutMs = timeoutMs;
  }

  async simulate(messages: readonly Message[], sequence: boolean): Promise<Simulated> {
    const size = sequence ? Math.max(1, messages.length) : TOGETHER;
    const jobs: (readonly Message[])[] = [];
    for (let at = 0; at < messages.length; at += size) jobs.push(messages.slice(at, at + size));
    const simulations: Simulation[] = [];
    for (const simulated of await Promise.all(jobs.map((job) => this.#run(job, sequence)))) {
      if (!simulated.ok) return simulated;
      simulations.push(...simulated.simulations);
    }
    return { ok: true, simulations };
  }

  async #run(messages: readonly Message[], sequence: boolean): Promise<Simulated> {
    try {
      const signal = AbortSignal.timeout(this.#timeoutMs);
      const over = await this.#accounts.load(neededToRun(messages), signal);
      return await this.#pool.run({ messages: messages.map(({ bytes }) => bytes), sequence, over });
    } catch (thrown) {
      return failureOf(thrown);
    }
  }
}
