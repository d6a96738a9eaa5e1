import { parentPort, workerData } from "node:worker_threads";
import { runThread } from "../../adapters/solana/simulator/simulator-thread.ts";

/** The entry file of a worker thread of `adapters/solana/simulator/simulator-pool.ts`. */
if (parentPort !== null) runThread(parentPort, workerData);
