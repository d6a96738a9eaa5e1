import { lookup } from "node:dns";
import { ServiceClient } from "../../adapters/http/service/service-client.ts";
import { AdapterTranslation } from "../../adapters/service-adapter/translation.ts";
import { systemClock } from "../../kernel/clock.ts";
import { Secret } from "../../kernel/secret.ts";
import { scaledService } from "../../worker/answers/service-scales.ts";
import { AdapterCheckEnv, type Environment, readEnv } from "../config/config.ts";
import { checkLine } from "../doctor/check-line.ts";
import { loadAdapter } from "../service-connection/open-adapter.ts";
import { openDialect, scalesOf } from "../service-connection/open-dialect.ts";
import { openPolicy } from "../wiring/open-policy.ts";
import { readCases } from "./case-file.ts";
import { checkAdapter } from "./check-run.ts";
import { StandIn } from "./stand-in.ts";

/** Longest wait for the stand-in, milliseconds. One case waits for the whole time. */
const TIMEOUT_MS = 1_000;

export interface AdapterCheckFlags {
  readonly cases: string;
  readonly quiet?: boolean;
}

/**
 * Runs the adapter in `file` against recorded and hostile answers, and prints a line for each.
 *
 * @returns the exit status: 0, or 2 when a case failed. @throws {ConfigInvalidError | InputUnreadableError}
 */
export async function adapterCheck(
  file: string,
  { cases: folder, quiet = false }: AdapterCheckFlags,
  env: Environment,
  signal: AbortSignal,
): Promise<0 | 2> {
  const config = readEnv(AdapterCheckEnv, env);
  const scales = scalesOf(await openDialect(config), config);
  const cases = await readCases(folder);
  const { choice } = await openPolicy(config.POLICY_FILE);
  const standIn = await StandIn.open();
  let failed = 0;
  let passed = 0;
  try {
    const adapter = await loadAdapter(file, standIn.url);
    const client = new ServiceClient({
      baseUrl: standIn.url,
      apiKey: () => new Secret("key-of-adapter-check"),
      clock: systemClock,
      lookup,
      concurrency: 1,
      timeoutMs: TIMEOUT_MS,
      onAnswer: () => {},
      translation: new AdapterTranslation(adapter, standIn.url, systemClock),
    });
    const service = scaledService(client, scales, true);
    const { table } = choice(undefined);
    const deps = { service, standIn, table, clock: systemClock, operations: Object.keys(adapter.operations) };
    for await (const check of checkAdapter(cases, deps, signal)) {
      if (check.ok === false) failed++;
      else passed++;
      if (check.ok !== true || !quiet) process.stdout.write(`${checkLine(check)}\n`);
    }
    await client.close();
  } finally {
    await standIn.close();
  }
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 2;
}
