import type { Format } from "../../adapters/files/records.ts";
import { parseAddress } from "../../chains/address.ts";
import { findChain } from "../../chains/registry.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import type { Environment } from "../config.ts";
import { showProgress } from "../progress.ts";
import { screenRun } from "../screen-run.ts";
import { summaryLines } from "../summary.ts";

export interface ScreenFlags {
  readonly out: string;
  readonly format?: Format;
  readonly chain?: string;
  readonly user: readonly string[];
  readonly token?: string;
}

/** `weir screen FILE`. @returns the exit status. */
export async function screen(file: string, flags: ScreenFlags, env: Environment, signal: AbortSignal): Promise<number> {
  checkDefaults(flags);
  const result = await screenRun({
    input: {
      path: file,
      format: flags.format,
      defaults: { chain: flags.chain, users: flags.user, token: flags.token },
    },
    out: flags.out,
    env,
    signal,
    watch: (progress) => showProgress(process.stderr, progress),
  });
  process.stdout.write(`${summaryLines(result, flags.out).join("\n")}\n`);
  return result.tally.exitStatus();
}

/** A flag is wrong once; the same mistake in every verdict of the run would help nobody. @throws {ConfigInvalidError} */
function checkDefaults({ chain: id, user, token }: ScreenFlags): void {
  if (id === undefined) return;
  const chain = findChain(id);
  if (chain === undefined) {
    throw new ConfigInvalidError(
      `--chain ${id}: unknown chain; give a decimal id, or a name such as eth, bsc, tron, solana, btc`,
    );
  }
  for (const [flag, text] of [...user.map((each) => ["--user", each] as const), ["--token", token] as const]) {
    const parsed = text === undefined ? undefined : parseAddress(chain.family, text);
    if (parsed?.ok === false)
      throw new ConfigInvalidError(`${flag} ${text}: no address on ${chain.name}: ${parsed.detail}`);
  }
}
