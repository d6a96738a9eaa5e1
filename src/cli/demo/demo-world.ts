import type { Clock } from "../../kernel/clock.ts";
import type { Environment } from "../config/config.ts";
import { bundled } from "../program/package-root.ts";
import { DEMO_CHAIN_ID, startDemoChain } from "./demo-chain.ts";

/** The environment that the demo's events are screened in. */
export interface DemoWorld {
  /** The variables for the run. */
  readonly env: Environment;
  /** The parts of the demo, with the source that answers for each. */
  readonly parts: readonly (readonly [name: string, what: string])[];
  /** Notes about parts that could not start. */
  readonly missing: readonly string[];
  close(): Promise<void>;
}

/** The date of the demo's list is the date of its creation, so its age means nothing. */
const NO_AGE = "99999d";

/** Starts the chains for the demo's own service. A service or nodes in the environment replace them. */
export async function openDemoWorld(given: Environment, clock: Clock, signal: AbortSignal): Promise<DemoWorld> {
  const isSet = (name: string) => (given[name] ?? "") !== "";
  const env = isSet("LISTS_FILES") ? given : { ...given, LISTS_FILES: bundled.demoLists, LISTS_MAX_AGE: NO_AGE };
  if (isSet("SERVICE_URL")) return { env, parts: [["service", "that of SERVICE_URL"]], missing: [], close: nothing };
  const solanaNames = ["SOLANA_SNAPSHOT", "SOLANA_RPC_URL", "SOLANA_RPC_URL_FILE"];
  const evmNames = ["EVM_RPC_URLS", "EVM_RPC_URLS_FILE", "EVM_MARKETS_FILE"];
  const solana = solanaNames.find(isSet);
  const evm = evmNames.find(isSet);
  const withSolana = solana === undefined ? { ...env, SOLANA_SNAPSHOT: bundled.demoSolana } : env;
  const others = [
    ["Solana", solana === undefined ? "LiteSVM, the network's own runtime, on accounts of demo/" : `that of ${solana}`],
    ["TRON", isSet("TRON_RPC_URL") ? "that of TRON_RPC_URL" : "rules on what transactions say, without a node"],
  ] as const;
  const without = (why: string): DemoWorld => ({
    env: withSolana,
    parts: [["EVM", `no chain: ${why}`], ...others],
    missing: [
      `Without the demo's own EVM chain nothing is known of the tokens and contracts of chain ${DEMO_CHAIN_ID}.`,
    ],
    close: nothing,
  });
  if (evm !== undefined) return without(`${evm} is set, so the demo starts none of its own`);
  const began = clock.ticks();
  const chain = await startDemoChain(clock, signal);
  if (!chain.ok) return without(chain.detail);
  const { url, tokens, transactions, stop } = chain.value;
  const seconds = ((clock.ticks() - began) / 1_000).toFixed(1);
  return {
    env: {
      ...withSolana,
      EVM_RPC_URLS: JSON.stringify({ [DEMO_CHAIN_ID]: url }),
      EVM_MARKETS_FILE: bundled.demoMarkets,
    },
    parts: [
      [
        "EVM",
        `anvil at ${url}, a chain of its own under Cannon's number ${DEMO_CHAIN_ID}: ${tokens} tokens and their pools, made by ${transactions} transactions in ${seconds} s`,
      ],
      ...others,
    ],
    missing: [],
    close: stop,
  };
}

async function nothing(): Promise<void> {}
