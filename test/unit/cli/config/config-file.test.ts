import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  type ConfigFile,
  parseConfigFile,
  readSettings,
  withConfigFile,
} from "../../../../src/cli/config/config-file.ts";
import { envRows, variableNames } from "../../../../src/cli/config/docs/env-table.ts";
import { isList, isSecret, namesOf, secretSettings } from "../../../../src/cli/config/env/setting-traits.ts";

const parsed = (...lines: readonly string[]): ConfigFile =>
  parseConfigFile("weir.yaml", lines.join("\n"), variableNames());
const textsOf = ({ settings }: ConfigFile) => Object.fromEntries([...settings].map(([name, { text }]) => [name, text]));

test("a setting keeps the text of its scalar, and lists become commas", () => {
  const file = parsed(
    "# comment",
    "KAFKA_BROKERS: [a:1, 'b:2']",
    "S3_EXPECTED_BUCKET_OWNER: 012345678901",
    "KAFKA_TLS: true",
    "TOPICS_REALTIME:",
    "  - events",
    "KAFKA_GROUP_ID: ~",
    "S3_PREFIX:",
    "SERVICE_QUOTA: 50/1s",
  );

  expect(file.faults).toEqual([]);
  expect(textsOf(file)).toEqual({
    KAFKA_BROKERS: "a:1,b:2",
    S3_EXPECTED_BUCKET_OWNER: "012345678901",
    KAFKA_TLS: "true",
    TOPICS_REALTIME: "events",
    SERVICE_QUOTA: "50/1s",
  });
  expect(file.settings.get("SERVICE_QUOTA")?.line).toBe(9);
});

test("an empty file has no settings and no fault", () => {
  expect(parsed("# nothing here", "")).toEqual({ file: "weir.yaml", settings: new Map(), faults: [] });
});

test.each<[string, readonly string[], string]>([
  [
    "a misspelled key",
    ["LOG_LEVEL: info", "KAFKA_BROKER: a:1"],
    "2:1: KAFKA_BROKER is no setting of Weir: did you mean KAFKA_BROKERS?",
  ],
  ["a key in lower case", ["kafka_tls: true"], "1:1: kafka_tls is no setting of Weir: did you mean KAFKA_TLS?"],
  ["another key", ["  COLOUR: red"], '1:3: COLOUR is no setting of Weir: run "weir config schema" for all names'],
  [
    "the file's own name",
    ["WEIR_CONFIG: b.yaml"],
    '1:1: WEIR_CONFIG is no setting of Weir: run "weir config schema" for all names',
  ],
  ["a list for one value", ["SERVICE_URL: [a, b]"], "1:1: SERVICE_URL must be a text, a number, true or false"],
  [
    "a list within a list",
    ["KAFKA_BROKERS: [[a:1]]"],
    "1:1: KAFKA_BROKERS must be a text, a number, true or false or a list of texts",
  ],
  [
    "a comma in a list",
    ["KAFKA_BROKERS: ['a:1,b:2']"],
    "1:1: KAFKA_BROKERS has an item with a comma: write each value as an item of its own",
  ],
  [
    "a file for no secret",
    ["SERVICE_QUOTA: { file: q }"],
    "1:1: SERVICE_QUOTA must be a text, a number, true or false",
  ],
  ["a key given twice", ["LOG_LEVEL: info", "LOG_LEVEL: warn"], "2:1: Map keys must be unique"],
  ["no mapping", ["- LOG_LEVEL"], "1:1: the file must hold NAME: value lines"],
  ["an alias", ["LOG_LEVEL: &a info", "KAFKA_CLIENT_ID: *a"], "1:1: LOG_LEVEL must be a text, a number, true or false"],
  ["a tag", ["SERVICE_CONCURRENCY: !!int 3"], "1:22: Unresolved tag: tag:yaml.org,2002:int"],
])("%s is refused with its position", (_, lines, fault) => {
  expect(parsed(...lines).faults[0]).toBe(`weir.yaml:${fault}`);
});

test("every fault is reported at once", () => {
  expect(parsed("A: 1", "B: 2", "LOG_LEVEL: info", "C: 3").faults).toHaveLength(3);
});

test("a secret may be a file, and not a file and a value", () => {
  expect(textsOf(parsed("SERVICE_API_KEY: { file: /run/key }"))).toEqual({ SERVICE_API_KEY_FILE: "/run/key" });
  expect(parsed("SERVICE_API_KEY: a", "SERVICE_API_KEY_FILE: b").faults).toEqual([
    "weir.yaml: SERVICE_API_KEY and SERVICE_API_KEY_FILE are both set: remove one of them",
  ]);
  expect(parsed("SERVICE_API_KEY: { file: a, mode: b }").faults).toHaveLength(1);
});

test("the environment replaces the file, an empty variable does not, and the name of the file goes", () => {
  const file = parsed("LOG_LEVEL: warn", "HOST: a", "PORT: 1");

  expect(withConfigFile({ LOG_LEVEL: "debug", HOST: "", WEIR_CONFIG: "weir.yaml", HOME: "/" }, file)).toEqual({
    LOG_LEVEL: "debug",
    HOST: "a",
    PORT: "1",
    HOME: "/",
    WEIR_CONFIG: undefined,
  });
});

/** A key file is preferred to a key, so a file's key file would win over the key of the environment. */
test("a secret of the environment replaces both forms of the secret in the file", () => {
  expect(withConfigFile({ SERVICE_API_KEY: "k" }, parsed("SERVICE_API_KEY: { file: /run/key }"))).toEqual({
    SERVICE_API_KEY: "k",
    WEIR_CONFIG: undefined,
  });
  expect(withConfigFile({ SERVICE_API_KEY_FILE: "f" }, parsed("SERVICE_API_KEY: k"))).toEqual({
    SERVICE_API_KEY_FILE: "f",
    WEIR_CONFIG: undefined,
  });
});

test("a quota is no secret, so its file stays beside a quota of the environment", () => {
  expect(namesOf("SERVICE_QUOTA_FILE")).toEqual(["SERVICE_QUOTA_FILE"]);
  expect(withConfigFile({ SERVICE_QUOTA: "1/1s" }, parsed("SERVICE_QUOTA_FILE: q.json"))).toMatchObject({
    SERVICE_QUOTA: "1/1s",
    SERVICE_QUOTA_FILE: "q.json",
  });
});

test("a file that is read gives settings, and a missing one an error", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "weir-config-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = path.join(folder, "weir.yaml");
  await writeFile(file, "LOG_LEVEL: warn\n");

  expect((await readSettings({}, file))["LOG_LEVEL"]).toBe("warn");
  await expect(readSettings({}, path.join(folder, "none.yaml"))).rejects.toThrow(
    /^bad config file: cannot read .*none\.yaml: ENOENT.*: correct --config or WEIR_CONFIG$/,
  );
  await writeFile(file, "A: 1\nB: 2\n");
  await expect(readSettings({}, file)).rejects.toThrow(/^bad config file:\n {2}.*:1:1: A is .*\n {2}.*:2:1: B is /);
});

test("each secret has a variable for a file, and each variable that looks like a secret is one", () => {
  const names = new Set(variableNames());
  const looksSecret = variableNames().filter((name) => /(_KEYS?|PASSWORD|SECRET|TOKEN)$/.test(name));

  expect(secretSettings.filter((name) => !names.has(name) || !names.has(`${name}_FILE`))).toEqual([]);
  expect(looksSecret.filter((name) => !isSecret(name))).toEqual([]);
});

test("each setting that is described with commas may be a list", () => {
  const described = envRows().filter(({ description }) =>
    /separated by commas|`[^`]*=[^`]*,[^`]*`|`\d+:[^`]*,/.test(description),
  );

  expect(described.length).toBeGreaterThan(10);
  expect(described.filter(({ name }) => !isList(name)).map(({ name }) => name)).toEqual([]);
});
