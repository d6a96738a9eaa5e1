import { z } from "zod";
import { ArchiveEnv, AuditEnv, DoctorEnv, HealthEnv, KafkaEnv, ScreenEnv, ServeEnv, WorkerEnv } from "./config.ts";

const commands = {
  "weir serve": ServeEnv,
  "weir screen, weir demo": ScreenEnv,
  "weir worker": WorkerEnv,
  "weir archive": ArchiveEnv,
  "weir audit": AuditEnv,
  "weir doctor": DoctorEnv,
  "weir health": HealthEnv,
  "weir enqueue, weir replay": KafkaEnv,
} as const;

/** The README's table of environment variables, printed from the schemas that read them. */
export function envTable(): string {
  const readersByRow = new Map<string, string[]>();
  for (const [command, schema] of Object.entries(commands)) {
    const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    for (const [name, property] of Object.entries(properties)) {
      const { default: fallback, description = "" } = Object(property);
      const shown = fallback === undefined ? "" : `\`${Array.isArray(fallback) ? fallback.join(",") : fallback}\``;
      // What means the same to several commands stands once.
      const row = JSON.stringify([name, shown, description]);
      readersByRow.set(row, [...(readersByRow.get(row) ?? []), command]);
    }
  }
  const rows = [...readersByRow].map(([row, readers]) => {
    const [name, shown, description] = JSON.parse(row);
    return `| \`${name}\` | ${readers.join(", ")} | ${shown} | ${description} |`;
  });
  return ["| variable | read by | default | what it is |", "| --- | --- | --- | --- |", ...rows].join("\n");
}
