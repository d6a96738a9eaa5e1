import { lookup } from "node:dns";
import { openSolanaEndpoints } from "../../src/adapters/solana/node/endpoints.ts";
import { NodeSimulator } from "../../src/adapters/solana/node/node-simulator.ts";
import { SolanaNode } from "../../src/adapters/solana/node/solana-node.ts";
import { LiveAccounts } from "../../src/adapters/solana/simulator/live-accounts.ts";
import { LiveSimulator } from "../../src/adapters/solana/simulator/live-simulator.ts";
import { runJob } from "../../src/adapters/solana/simulator/simulator-thread.ts";
import { VirtualMachine } from "../../src/adapters/solana/simulator/virtual-machine.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import type { LogFields } from "../../src/kernel/log.ts";
import { Secret } from "../../src/kernel/secret.ts";
import type { Simulator } from "../../src/service/solana-transactions/simulator.ts";

/** An empty machine in this thread: a job brings all its accounts. */
export function machineHere() {
  const machine = new VirtualMachine({ slot: undefined, unixTimestamp: 0, accounts: new Map() });
  return {
    run: async (job: Parameters<typeof runJob>[0]) => {
      const result = runJob(job, machine);
      return result.ok ? result : ({ ok: false, failure: "badGateway", detail: result.detail } as const);
    },
  };
}

export interface Engines {
  readonly node: Simulator;
  readonly local: Simulator;
  readonly accounts: LiveAccounts;
  readonly failures: string[];
  close(): Promise<void>;
}

/** Both engines over the nodes at `urls`, as `weir serve` combines them, but with the machine in this thread. */
export function enginesOver(
  urls: readonly string[],
  pool = machineHere(),
  timeoutMs = 5_000,
  allMs = 3 * timeoutMs,
): Engines {
  const failures: string[] = [];
  const checked = urls.map((url) => new Secret(url));
  const endpoints = openSolanaEndpoints(checked, { clock: systemClock, lookup, timeoutMs });
  const keep = (_message: string, { endpoint, reason }: LogFields = {}) =>
    failures.push(`${/\((\d+)\)/.exec(String(endpoint))?.[1]}: ${reason}`);
  const log = { debug: keep, info: keep, warn: keep, error: keep };
  const node = new SolanaNode({ endpoints, clock: systemClock, log }, "confirmed");
  const accounts = new LiveAccounts({ node, clock: systemClock });
  const local = new LiveSimulator(accounts, pool, allMs);
  const simulator = new NodeSimulator({ node, accounts, sequences: local, timeoutMs: allMs });
  return {
    node: simulator,
    local,
    accounts,
    failures,
    close: async () => void (await Promise.all(endpoints.map((endpoint) => endpoint.close()))),
  };
}
