import { randomUUID } from "node:crypto";
import { lookup } from "node:dns";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { openSolanaEndpoints } from "../../adapters/solana/node/endpoints.ts";
import { NodeSimulator } from "../../adapters/solana/node/node-simulator.ts";
import { SolanaNode } from "../../adapters/solana/node/solana-node.ts";
import { LiveAccounts } from "../../adapters/solana/simulator/live-accounts.ts";
import { LiveSimulator } from "../../adapters/solana/simulator/live-simulator.ts";
import { SimulatorPool } from "../../adapters/solana/simulator/simulator-pool.ts";
import { readSnapshot, type Snapshot } from "../../adapters/solana/simulator/snapshot.ts";
import { systemClock } from "../../kernel/clock.ts";
import { ConfigInvalidError, toError } from "../../kernel/errors.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { Log } from "../../kernel/log.ts";
import type { Secret } from "../../kernel/secret.ts";
import type { SolanaBackend } from "../../service/solana-transactions/emulate.ts";
import type { Simulator } from "../../service/solana-transactions/simulator.ts";
import type { ServeConfig } from "../config/config.ts";
import { solanaUrlsOf } from "../config/node-urls.ts";
import { readSolanaPrices } from "./solana-prices.ts";

/**
 * Longest wait for a thread, and longest run, milliseconds. A transaction that uses all its compute units takes a
 * tenth.
 */
const TIMEOUT_MS = 5_000;
/** Longest wait for all answers of nodes about one transaction, milliseconds. Clients wait longer. */
const NODES_TIMEOUT_MS = 8_000;
/** Most threads. Each takes some 60 MB, and more threads bring no gain. */
const MAX_THREADS = 8;
/** The snapshot of a machine with all accounts from nodes. */
const NOTHING: Snapshot = { slot: undefined, unixTimestamp: 0, accounts: new Map() };

/**
 * Opens the simulator of Solana transactions: nodes, local machines with accounts of nodes, or local machines with the
 * accounts of a snapshot file. Undefined where neither is configured.
 *
 * @throws {ConfigInvalidError} for an unreadable file, for a URL that must not be used, and for both settings at once.
 */
export async function openSolana(config: ServeConfig, opened: Lifecycle, log: Log): Promise<SolanaBackend | undefined> {
  const { SOLANA_SNAPSHOT: file } = config;
  const urls = await solanaUrlsOf(config);
  if (urls.length > 0 && file !== undefined) {
    throw new ConfigInvalidError(
      "SOLANA_RPC_URL and SOLANA_SNAPSHOT are both set, and accounts come from one of the two: unset the other",
    );
  }
  const priceOf = await readSolanaPrices(config, systemClock);
  if (urls.length > 0) return { simulator: overNodes(urls, config, opened, log), requestId: randomUUID, priceOf };
  if (file === undefined) return undefined;
  const snapshot = await readFileOf(file);
  log.info("Solana transactions run on a snapshot", { accounts: snapshot.accounts.size });
  return { simulator: openPool(snapshot, opened, log), requestId: randomUUID, priceOf };
}

function overNodes(urls: readonly Secret[], config: ServeConfig, opened: Lifecycle, log: Log): Simulator {
  const { SOLANA_ENGINE: engine, SOLANA_COMMITMENT: commitment, SOLANA_RPC_TIMEOUT: timeoutMs } = config;
  const endpoints = openSolanaEndpoints(urls, { clock: systemClock, lookup, timeoutMs });
  for (const endpoint of endpoints) opened.onClose("solana node", () => endpoint.close());
  const node = new SolanaNode({ endpoints, clock: systemClock, log }, commitment);
  const accounts = new LiveAccounts({ node, clock: systemClock });
  const local = new LiveSimulator(accounts, openPool(NOTHING, opened, log), NODES_TIMEOUT_MS);
  log.info("Solana transactions run with these nodes", { nodes: urls.length, engine, commitment });
  if (engine === "local") return local;
  return new NodeSimulator({ node, accounts, sequences: local, timeoutMs: NODES_TIMEOUT_MS });
}

/** The threads of the pool start with the first jobs. */
function openPool(snapshot: Snapshot, opened: Lifecycle, log: Log): SimulatorPool {
  const pool = new SimulatorPool({
    threadFile: threadFile(),
    snapshot,
    threads: Math.min(MAX_THREADS, availableParallelism()),
    timeoutMs: TIMEOUT_MS,
    clock: systemClock,
    log,
  });
  opened.onClose("solana simulator", () => pool.close());
  return pool;
}

async function readFileOf(file: string): Promise<Snapshot> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch (thrown) {
    const detail = `SOLANA_SNAPSHOT names ${file}, which cannot be read: ${toError(thrown).message}`;
    throw new ConfigInvalidError(`${detail}: correct it, or take it out`);
  }
  return readSnapshot(text);
}

/** simulator-thread.ts in a checkout, simulator-thread.js in the built package. */
function threadFile(): string {
  return path.join(import.meta.dirname, `simulator-thread${path.extname(import.meta.filename)}`);
}
