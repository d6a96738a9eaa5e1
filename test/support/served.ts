import type { Env } from "./weir.ts";
import { start } from "./weir.ts";

export const SERVICE_KEY = "a-key-of-the-tests";

/** The service as a separate process, and the settings for a worker that uses it. */
export async function served(env: Env = {}): Promise<Env> {
  const serving = start(["serve"], { SERVICE_API_KEYS: SERVICE_KEY, PORT: "0", ...env });
  const [, url = ""] = await serving.untilSaid(/"url":"(http:[^"]+)"/);
  return { SERVICE_URL: url, SERVICE_API_KEY: SERVICE_KEY };
}
