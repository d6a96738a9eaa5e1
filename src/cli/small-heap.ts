import { setFlagsFromString } from "node:v8";

/**
 * Keeps a long run in a small process. Left alone, the engine lets the heap of a program that makes much garbage grow to
 * several times what it holds, as long as the machine has memory: 420 MiB where 60 are in use. Collecting sooner costs an
 * eighth more processor time at 60 %, for 216 MiB, and half more at 10 %, for 195 (measured over 60,000 events, Node 24).
 */
export function keepHeapSmall(): void {
  setFlagsFromString("--heap-growing-percent=60");
  setFlagsFromString("--semi-space-growth-factor=1");
}
