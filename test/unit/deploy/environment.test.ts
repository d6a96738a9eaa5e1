/** All deployment files use the names of Weir's variables. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { envExample } from "../../../src/cli/config/docs/env-example.ts";
import { envRows } from "../../../src/cli/config/docs/env-table.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const names = new Set(envRows().map(({ name }) => name));
/** Variables of other programs: the AWS SDK, Node, and the images of Kafka, Grafana and the S3 server. */
const others =
  /^(AWS_|NODE_|GF_|ROOT_|KAFKA_(NODE_ID|PROCESS_ROLES|CONTROLLER|LISTENER|ADVERTISED|INTER|OFFSETS|TRANSACTION|AUTO|LOG_DIRS))/;
/** A name as a key or a value, not in a sentence. */
const NAME = /(?<=^\s*(?:- name: )?"?|dict "|set \$files "|" ")([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)(?=:|"|$)/gm;
const files = ["Dockerfile", ...globSync("deploy/**/*.{yaml,tpl}", { cwd: root })].map((file) =>
  file.split(path.sep).join("/"),
);

test("the scan finds the files, and names in them", () => {
  expect(files).toEqual(
    expect.arrayContaining(["deploy/compose/compose.yaml", "deploy/helm/weir/templates/_helpers.tpl"]),
  );
  const found = files.flatMap((file) => readFileSync(path.join(root, file), "utf8").match(NAME) ?? []);
  expect(new Set(found)).toEqual(
    new Set([
      ...found,
      "SERVICE_API_KEY_FILE",
      "KAFKA_BROKERS",
      "ADMIN_HOST",
      "S3_BUCKET",
      "POLICY_FILE",
      "KAFKA_TLS_CA_FILE",
    ]),
  );
});

test.each(files)("%s names only variables that Weir reads", (file) => {
  const found = readFileSync(path.join(root, file), "utf8").match(NAME) ?? [];

  expect(found.filter((name) => !names.has(name) && !others.test(name))).toEqual([]);
});

test("the chart's values hold no secret", () => {
  const schema = JSON.parse(readFileSync(path.join(root, "deploy/helm/weir/values.schema.json"), "utf8"));
  const secrets = [...names].filter((name) => /(KEYS?|PASSWORD|CLIENT_SECRET)$/.test(name));

  expect(secrets.toSorted()).toEqual([
    "EVM_VERIFIER_API_KEY",
    "KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET",
    "KAFKA_SASL_PASSWORD",
    "SCHEMA_REGISTRY_PASSWORD",
    "SERVICE_API_KEY",
    "SERVICE_API_KEYS",
    "TRON_RPC_API_KEY",
  ]);
  // The URLs of nodes hold keys, too.
  const urls = ["EVM_RPC_URLS", "SOLANA_RPC_URL"];
  expect(schema.definitions.env.propertyNames.not.enum).toEqual(expect.arrayContaining([...secrets, ...urls]));
});

describe("the example of an environment file", () => {
  const lines = envExample().split("\n");

  test("has every variable once", () => {
    const found = lines.flatMap((line) => /^#?([A-Z][A-Z0-9_]*)=/.exec(line)?.[1] ?? []);

    expect(found.toSorted()).toEqual([...names].toSorted());
  });

  test("sets only variables without a default, and no secret", () => {
    const set = lines.filter((line) => /^[A-Z]/.test(line)).map((line) => line.split("=")[0]);

    expect(set.toSorted()).toEqual(["KAFKA_BROKERS", "S3_BUCKET", "SERVICE_API_KEY_FILE", "SERVICE_URL"]);
    for (const { name, fallback } of envRows()) if (set.includes(name)) expect(fallback, name).toBe("");
  });

  test("describes each variable with its default", () => {
    expect(envExample()).toContain(
      "# Least severe level of log lines that are written. Log lines are JSON.\n# (weir serve, weir screen, weir demo, weir worker, weir archive)\n#LOG_LEVEL=info\n",
    );
    expect(envExample()).toContain(
      "# (weir screen, weir demo, weir plan: 4194304; weir worker, weir plan --topic: 268435456)\n#ANSWER_CACHE_BYTES=4194304\n",
    );
  });
});
