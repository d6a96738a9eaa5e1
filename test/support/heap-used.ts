import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Reachable bytes of the heap. Two readings at a distance show the memory that the steps in between retained. */
export async function heapUsed(): Promise<number> {
  return (await reachable()).heapUsed;
}

/** Reachable bytes of buffers, which are outside of the heap. */
export async function buffersUsed(): Promise<number> {
  // Memory of buffers is released on another thread, and counted when the next collection begins.
  await reachable();
  return (await reachable()).arrayBuffers;
}

async function reachable(): Promise<NodeJS.MemoryUsage> {
  // Objects that are released in this turn are collected only after it.
  await setImmediate();
  collect();
  return process.memoryUsage();
}
