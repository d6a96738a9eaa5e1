import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configSchema } from "../../../../src/cli/config/docs/config-schema.ts";
import { envRows, variableNames } from "../../../../src/cli/config/docs/env-table.ts";
import { byArea, settingArea } from "../../../../src/cli/config/setting-areas.ts";

const schema = configSchema() as {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly additionalProperties: boolean;
};

test("the schema has every setting but the name of the file, and no other", () => {
  expect(Object.keys(schema.properties).sort()).toEqual(
    variableNames()
      .filter((name) => name !== "WEIR_CONFIG")
      .sort(),
  );
  expect(schema.additionalProperties).toBe(false);
});

test("a setting has its choices, its default where all commands agree, and its forms", () => {
  expect(schema.properties["KAFKA_TLS"]).toMatchObject({ enum: [true, "true", false, "false"], default: "false" });
  expect(schema.properties["SOLANA_ENGINE"]).toMatchObject({ enum: ["node", "local"] });
  expect(schema.properties["ANSWER_CACHE_BYTES"]).not.toHaveProperty("default");
  expect(schema.properties["KAFKA_BROKERS"]?.["anyOf"]).toHaveLength(2);
  expect(schema.properties["SERVICE_API_KEY"]?.["anyOf"]).toHaveLength(2);
  expect(schema.properties["SERVICE_URL"]).not.toHaveProperty("anyOf");
});

test("the printed schema is the one of the code", () => {
  expect(JSON.parse(readFileSync("docs/schemas/config.schema.json", "utf8"))).toEqual(schema);
});

test("every setting has one area, and areas keep every setting", () => {
  const names = [...new Set(envRows().map(({ name }) => name))];

  expect(
    byArea(names, (name) => name)
      .flatMap(([, own]) => own)
      .sort(),
  ).toEqual([...names].sort());
  expect(settingArea("SERVICE_API_KEYS")).toBe("Weir's own service");
  expect(settingArea("SERVICE_API_KEY")).toBe("The service that Weir asks");
  expect(() => settingArea("COLOUR")).toThrow("COLOUR has no area");
});
