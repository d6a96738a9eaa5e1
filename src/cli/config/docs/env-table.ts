import { z } from "zod";
import {
  AdapterCheckEnv,
  ArchiveEnv,
  AuditEnv,
  DoctorEnv,
  HealthEnv,
  LabelsEnv,
  PlanEnv,
  PlanTopicEnv,
  ScreenEnv,
  ServeEnv,
  WorkerEnv,
} from "../config.ts";
import { KafkaEnv } from "../env/kafka-env.ts";
import { EvmEnv } from "../env/nodes-env.ts";

const commands = {
  "weir serve": ServeEnv,
  "weir labels check": LabelsEnv,
  "weir screen, weir demo": ScreenEnv,
  "weir plan": PlanEnv,
  "weir worker": WorkerEnv,
  "weir plan --topic": PlanTopicEnv,
  "weir archive": ArchiveEnv,
  "weir audit": AuditEnv,
  "weir doctor": DoctorEnv,
  "weir health": HealthEnv,
  "weir enqueue, weir replay": KafkaEnv,
  "weir inspect": EvmEnv,
  "weir adapter check": AdapterCheckEnv,
} as const;

/** One variable, with the commands that read it in the same way. */
export interface EnvRow {
  readonly name: string;
  readonly readers: readonly string[];
  /** The default as an operator would write it; empty: none. */
  readonly fallback: string;
  readonly description: string;
}

/** The names of all variables that any command reads. */
export function variableNames(): readonly string[] {
  return [...new Set(Object.values(commands).flatMap((schema) => Object.keys(schema.shape)))];
}

/** Every variable, from the schemas that read it. A variable with one meaning in several commands has one row. */
export function envRows(): readonly EnvRow[] {
  const rows = new Map<string, EnvRow>();
  for (const [command, schema] of Object.entries(commands)) {
    for (const { name, fallback, description } of variablesIn(schema)) {
      const key = JSON.stringify([name, fallback, description]);
      const readers = [...(rows.get(key)?.readers ?? []), command];
      rows.set(key, { name, readers, fallback, description });
    }
  }
  return [...rows.values()];
}

/** The defaults of the variables that have one, as an operator would write them. */
export function fallbacksIn(schema: z.ZodObject): ReadonlyMap<string, string> {
  const given = variablesIn(schema).filter(({ fallback }) => fallback !== "");
  return new Map(given.map(({ name, fallback }) => [name, fallback]));
}

function variablesIn(schema: z.ZodObject): readonly Omit<EnvRow, "readers">[] {
  const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return Object.entries(properties).map(([name, property]) => {
    const { default: given, description = "" } = Object(property);
    const fallback = given === undefined ? "" : String(Array.isArray(given) ? given.join(",") : given);
    return { name, fallback, description };
  });
}

/** The README's table of environment variables. */
export function envTable(): string {
  const rows = envRows().map(({ name, readers, fallback, description }) => {
    const shown = fallback === "" ? "" : `\`${fallback}\``;
    return `| \`${name}\` | ${readers.join(", ")} | ${shown} | ${description} |`;
  });
  return ["| variable | read by | default | what it is |", "| --- | --- | --- | --- |", ...rows].join("\n");
}
