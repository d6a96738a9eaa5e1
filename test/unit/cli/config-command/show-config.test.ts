import { expect, test } from "vitest";
import { z } from "zod";
import { parseConfigFile } from "../../../../src/cli/config/config-file.ts";
import { variableNames } from "../../../../src/cli/config/docs/env-table.ts";
import { effectiveSettings } from "../../../../src/cli/config-command/effective-settings.ts";
import { maskedValue } from "../../../../src/cli/config-command/masked-value.ts";
import { configText } from "../../../../src/cli/config-command/show-config.ts";

const schema = z.object({
  KAFKA_BROKERS: z.string(),
  KAFKA_CLIENT_ID: z.string().default("weir"),
  SERVICE_URL: z.string().optional(),
  SERVICE_API_KEY: z.string().optional(),
  SERVICE_API_KEY_FILE: z.string().optional(),
  LOG_LEVEL: z.string().default("info"),
});
const file = parseConfigFile(
  "weir.yaml",
  "SERVICE_URL: https://a.example\nSERVICE_API_KEY: { file: /run/key }\nLOG_LEVEL: warn\n",
  variableNames(),
);

test("each value has its source: the environment, the file with its line, or the default", () => {
  const settings = effectiveSettings(schema, { LOG_LEVEL: "debug", KAFKA_CLIENT_ID: "" }, file);

  expect(settings.map(({ name, value, source, line }) => [name, value, source, line])).toEqual([
    ["KAFKA_BROKERS", undefined, "none", undefined],
    ["KAFKA_CLIENT_ID", "weir", "default", undefined],
    ["SERVICE_URL", "https://a.example", "file", 1],
    ["SERVICE_API_KEY", undefined, "none", undefined],
    ["SERVICE_API_KEY_FILE", "/run/key", "file", 2],
    ["LOG_LEVEL", "debug", "environment", undefined],
  ]);
});

test("a key of the environment leaves the key file of the file without effect", () => {
  const settings = effectiveSettings(schema, { SERVICE_API_KEY: "hunter2" }, file);

  expect(
    settings.filter(({ name }) => name.startsWith("SERVICE_API")).map(({ value, source }) => [value, source]),
  ).toEqual([
    ["***", "environment"],
    [undefined, "none"],
  ]);
});

test("the text names each value, its source, and what is missing", () => {
  const text = configText("worker", effectiveSettings(schema, {}, file), file, false);

  expect(text.split("\n").map((line) => line.replace(/ {3,}/, "  "))).toEqual([
    "# Settings of weir worker, from the environment, weir.yaml and defaults. Secrets are masked.",
    "",
    "# The service that Weir asks",
    "SERVICE_URL=https://a.example  # weir.yaml:1",
    "SERVICE_API_KEY_FILE=/run/key  # weir.yaml:2",
    "",
    "# Kafka topics and groups",
    "#KAFKA_BROKERS=  # required, and not set",
    "KAFKA_CLIENT_ID=weir  # default",
    "",
    "# Health, metrics and log",
    "LOG_LEVEL=warn  # weir.yaml:3",
    "",
    "# Settings without a value: 1. Add --all to list them.",
    "# To judge the settings, run: weir config check worker",
    "",
  ]);
});

test.each([
  ["SERVICE_API_KEY", "hunter2", "***"],
  ["EVM_RPC_URLS", '{"1":["https://n.example/hunter2"]}', "***"],
  ["SERVICE_URL", "https://me:hunter2@a.example/x?key=hunter2", "https://***@a.example/x?***"],
  [
    "TRON_RPC_URL",
    "https://a.example/x,http://u:hunter2@b.example?x=hunter2",
    "https://a.example/x,http://***@b.example?***",
  ],
  ["KAFKA_BROKERS", "a:1,b:2", "a:1,b:2"],
  ["SERVICE_LEVELS", "low=INFO,\nhigh=BLOCK", "low=INFO, high=BLOCK"],
])("%s shows no secret", (name, value, shown) => {
  expect(maskedValue(name, value)).toBe(shown);
});
