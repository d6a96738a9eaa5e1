import { toError } from "../../kernel/errors.ts";
import { type Environment, readEnv } from "../config/config.ts";
import { HealthEnv } from "../config/env/archive-env.ts";

const DEADLINE_MS = 3_000;
/**
 * Addresses that accept connections but cannot be targets. A server that listens on them also listens on the loopback.
 */
const EVERYWHERE: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "[::1]" };

/**
 * `weir health`: whether the Weir process on this machine lives: a worker or an archive, or otherwise a service. For
 * containers.
 *
 * @returns 0 when the process reports that it lives, 1 when it does not or no process answers.
 */
export async function health(env: Environment): Promise<0 | 1> {
  const { ADMIN_HOST, ADMIN_PORT, HOST, PORT } = readEnv(HealthEnv, env);
  const said: string[] = [];
  for (const [host, port] of [
    [ADMIN_HOST, ADMIN_PORT],
    [HOST, PORT],
  ] as const) {
    const url = `http://${EVERYWHERE[host] ?? host}:${port}/livez`;
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(DEADLINE_MS) });
      process.stdout.write(`${url}: ${response.status} ${(await response.text()).trim()}\n`);
      return response.status === 200 ? 0 : 1;
    } catch (thrown) {
      const { message, cause } = toError(thrown);
      said.push(`${url}: ${cause instanceof Error ? cause.message : message}`);
    }
  }
  process.stderr.write(`weir: no Weir process answers: ${said.join("; ")}\n`);
  return 1;
}
