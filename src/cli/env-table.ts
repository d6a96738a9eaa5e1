import { z } from "zod";
import { ScreenEnv, ServeEnv } from "./config.ts";

const commands = { "weir serve": ServeEnv, "weir screen, weir demo": ScreenEnv } as const;

/** The README's table of environment variables, printed from the schemas that read them. */
export function envTable(): string {
  const rows = Object.entries(commands).flatMap(([command, schema]) => {
    const { properties = {} } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    return Object.entries(properties).map(([name, property]) => {
      const { default: fallback, description = "" } = Object(property);
      const shown = fallback === undefined ? "" : `\`${Array.isArray(fallback) ? fallback.join(",") : fallback}\``;
      return `| \`${name}\` | ${command} | ${shown} | ${description} |`;
    });
  });
  return ["| variable | read by | default | what it is |", "| --- | --- | --- | --- |", ...rows].join("\n");
}
