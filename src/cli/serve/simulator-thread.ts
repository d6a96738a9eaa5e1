import { parentPort, workerData } from "node:worker_threads";
import { runThread } from "../../adapters/solana/simulator/simulator-thread.ts";

/** What a worker thread of `adapters/solana/simulator/simulator-pool.ts` begins with. */
if (parentPort !== null) runThread(parentPort, workerData);
