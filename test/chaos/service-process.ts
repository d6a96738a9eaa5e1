import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

/** Faults of a reachable service that gives no answer. */
export const brownOuts = [
  "failing",
  "limited",
  "limitedSilently",
  "hang",
  "reset",
  "garbage",
  "truncated",
  "refusedKey",
] as const;
export type Mood = (typeof brownOuts)[number] | "well";

/** The truthful service as a separate process. */
export interface ServiceProcess {
  readonly port: number;
  /** Resolves once the service has this mood. */
  set(mood: Mood): Promise<void>;
  close(): Promise<void>;
}

export async function startService(key: string, logFile: string, seed = 1): Promise<ServiceProcess> {
  const child = fork(path.join(import.meta.dirname, "service.ts"), {
    env: { PATH: process.env["PATH"], SERVICE_KEY: key, SERVICE_LOG: logFile, SERVICE_SEED: String(seed) },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  const [{ port }] = (await once(child, "message")) as [{ readonly port: number }];
  return {
    port,
    async set(mood) {
      const taken = once(child, "message");
      child.send({ mood });
      await taken;
    },
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
