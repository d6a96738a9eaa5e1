import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import path from "node:path";
import { SimulatorPool } from "../adapters/solana/simulator-pool.ts";
import { readSnapshot, type Snapshot } from "../adapters/solana/snapshot.ts";
import { ConfigInvalidError, toError } from "../kernel/errors.ts";
import type { Lifecycle } from "../kernel/lifecycle.ts";
import type { Log } from "../kernel/log.ts";
import { systemClock } from "../kernel/system-clock.ts";
import type { SolanaBackend } from "../service/solana-emulate/emulate.ts";

/** Longest wait for a thread, and longest run, milliseconds: a transaction that uses all its compute units takes a tenth. */
const TIMEOUT_MS = 5_000;
/** Each takes some 60 MB; more than these serve nobody. */
const MAX_THREADS = 8;

/**
 * What simulates Solana transactions: over the accounts of a snapshot file, or nothing where none is named.
 *
 * @throws {ConfigInvalidError} when the file cannot be read.
 */
export async function openSolana(
  file: string | undefined,
  opened: Lifecycle,
  log: Log,
): Promise<SolanaBackend | undefined> {
  if (file === undefined) return undefined;
  const snapshot = await readFileOf(file);
  const threads = Math.min(MAX_THREADS, availableParallelism());
  const simulator = new SimulatorPool({
    threadFile: threadFile(),
    snapshot,
    threads,
    timeoutMs: TIMEOUT_MS,
    clock: systemClock,
    log,
  });
  opened.onClose("solana simulator", () => simulator.close());
  log.info("solana snapshot", { accounts: snapshot.accounts.size, threads });
  return { simulator, requestId: randomUUID };
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
