import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collect: () => void = runInNewContext("gc");

/** Bytes of the heap that are reachable. Two of them, far enough apart, show what each step in between has left behind. */
export async function heapUsed(): Promise<number> {
  return (await reachable()).heapUsed;
}

/** The same of what buffers hold, which is outside the heap. */
export async function buffersUsed(): Promise<number> {
  // Their memory is given back beside the program, and counted as such when the next collection begins.
  await reachable();
  return (await reachable()).arrayBuffers;
}

async function reachable(): Promise<NodeJS.MemoryUsage> {
  // What is let go of in this turn is collected only after it.
  await setImmediate();
  collect();
  return process.memoryUsage();
}
