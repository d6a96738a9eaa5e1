/** The real service as a child process, loaded over a few kept-alive connections: shared code of benches over HTTP. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Agent, request } from "undici";

const CONNECTIONS = 4;
const TICKS_PER_SECOND = 100;

export interface LoadedService {
  /**
   * Sends `count` requests to `path`, with these bodies in turn. @returns requests a second, by the clock and by the
   * service's processor time.
   */
  readonly load: (path: string, bodies: readonly string[], count: number) => Promise<Rates>;
  readonly stop: () => Promise<void>;
}

/** The second rate is the relevant one: both processes share the machine. */
interface Rates {
  readonly perSecond: number;
  readonly perCpuSecond: number;
}

/** Starts the service with additional environment variables. */
export async function startService(env: Readonly<Record<string, string>>): Promise<LoadedService> {
  const main = path.resolve(import.meta.dirname, "..", "src", "cli", "main.ts");
  const child = spawn(process.execPath, [main, "serve"], {
    env: { ...process.env, PORT: "0", SERVICE_API_KEYS: "bench", LOG_LEVEL: "warn", ...env },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const url = await new Promise<string>((resolve) =>
    child.once("message", (message) => resolve(Object(message).listening)),
  );
  const agent = new Agent({ connections: CONNECTIONS });

  /** User and system time so far, seconds. */
  const cpuSeconds = () => {
    const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
    return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  };
  const post = async (to: string, body: string) => {
    const headers = { "content-type": "application/json", "x-api-key": "bench" };
    const response = await request(`${url}${to}`, { dispatcher: agent, method: "POST", headers, body });
    if (response.statusCode !== 200) throw new Error(`answered ${response.statusCode}: ${await response.body.text()}`);
    await response.body.dump({ limit: 10_000_000 });
  };

  return {
    async load(to, bodies, count) {
      let left = count;
      const worker = async () => {
        while (left-- > 0) await post(to, bodies[left % bodies.length] ?? "");
      };
      const [cpu, wall] = [cpuSeconds(), performance.now()];
      await Promise.all(Array.from({ length: CONNECTIONS }, worker));
      const seconds = (performance.now() - wall) / 1000;
      return { perSecond: count / seconds, perCpuSecond: count / (cpuSeconds() - cpu) };
    },
    async stop() {
      await agent.close();
      child.kill("SIGTERM");
    },
  };
}
