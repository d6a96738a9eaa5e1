import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Environment } from "./config.ts";

/** A part of a configuration: variables that must fit together, and the files that they name. */
export interface ConfigPart<C> {
  readonly check: string;
  /** Prefixes of the variables that the part depends on. */
  readonly reads: readonly string[];
  /**
   * Checks the part without a network. @returns the result, or a line for each of several results. @throws {AppError}
   */
  readonly look: (config: C, env: Environment) => Promise<string | readonly CheckedItem[]>;
}

/**
 * At least one line for each part. A part with faulty variables is skipped, since its own fault would be misleading.
 */
export async function checkParts<C>(
  parts: readonly ConfigPart<C>[],
  config: C,
  env: Environment,
  wrong: readonly string[],
): Promise<readonly CheckedItem[]> {
  const found: CheckedItem[] = [];
  for (const { check, reads, look } of parts) {
    const fault = wrong.find((name) => reads.some((beginning) => name.startsWith(beginning)));
    if (fault !== undefined) found.push({ check, ok: "warn", detail: `skipped: ${fault} is at fault`, remedy: "" });
    else found.push(...(await looked(check, () => look(config, env))));
  }
  return found;
}

async function looked(
  check: string,
  look: () => Promise<string | readonly CheckedItem[]>,
): Promise<readonly CheckedItem[]> {
  try {
    const told = await look();
    return typeof told === "string" ? [{ check, ok: true, detail: told, remedy: "" }] : told;
  } catch (thrown) {
    // The message of a wrong setting contains the remedy.
    if (thrown instanceof AppError) return [{ check, ok: false, detail: thrown.message, remedy: "" }];
    throw thrown;
  }
}
