import type { z } from "zod";
import type { CheckedItem } from "../../adapters/kafka/topics/check.ts";
import { plainWords } from "../../api/requests/plain-words.ts";
import type { Environment } from "./config.ts";
import { fallbacksIn } from "./docs/env-table.ts";

export interface CheckedVariables {
  /** One check for each variable of the schema, in its order. */
  readonly checks: readonly CheckedItem[];
  /** The values of the valid variables; the others are missing. */
  readonly config: Readonly<Record<string, unknown>>;
  /** Names of invalid variables. */
  readonly wrong: readonly string[];
}

/** Checks each variable by itself, by the rules of `readEnv`. No value is shown. */
export function checkVariables(schema: z.ZodObject, env: Environment): CheckedVariables {
  const fallbacks = fallbacksIn(schema);
  const read = Object.entries(schema.shape).map(([name, field]) => {
    const given = env[name] === "" ? undefined : env[name];
    const parsed = (field as z.ZodType).safeParse(given, { error: plainWords });
    return { name, given, parsed };
  });
  const sound = read.flatMap(({ name, parsed }) => (parsed.success ? [[name, parsed.data] as const] : []));
  return {
    checks: read.map(({ name, given, parsed }): CheckedItem => {
      if (parsed.success) return { check: name, ok: true, detail: stateOf(given, fallbacks.get(name)), remedy: "" };
      const detail = parsed.error.issues.map(({ path, message }) => `${entryAt(path)}${message}`).join("; ");
      const remedy = given === undefined ? `set ${name}` : `correct ${name}, or unset it`;
      return { check: name, ok: false, detail, remedy };
    }),
    config: Object.fromEntries(sound),
    wrong: read.filter(({ parsed }) => !parsed.success).map(({ name }) => name),
  };
}

function stateOf(given: string | undefined, fallback: string | undefined): string {
  if (given !== undefined) return "is set";
  return fallback === undefined ? "is not set" : `default ${fallback}`;
}

/** The position of an entry in a list, counted from 1. */
function entryAt([entry]: readonly PropertyKey[]): string {
  return typeof entry === "number" ? `entry ${entry + 1}: ` : "";
}
