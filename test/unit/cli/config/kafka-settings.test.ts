import { writeFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { readEnv } from "../../../../src/cli/config/config.ts";
import { KafkaEnv } from "../../../../src/cli/config/env/kafka-env.ts";
import { areBrokersHere, type KafkaSettings, kafkaSettings } from "../../../../src/cli/config/kafka-settings.ts";
import { ConfigInvalidError } from "../../../../src/kernel/errors.ts";
import { emptyFolder } from "../../../support/folder.ts";

type Env = Readonly<Record<string, string>>;

const here: Env = { KAFKA_BROKERS: "localhost:9092" };
const settingsOf = async (env: Env): Promise<KafkaSettings> => kafkaSettings(readEnv(KafkaEnv, env));

async function fileOf(content: string): Promise<string> {
  const file = path.join(await emptyFolder(), "file");
  await writeFile(file, content);
  return file;
}

test("only the brokers are required", async () => {
  expect(await settingsOf({ KAFKA_BROKERS: "a.example:9092, b-2.example:9093" })).toEqual({
    connection: { brokers: ["a.example:9092", "b-2.example:9093"], clientId: "weir" },
    groupId: "weir",
    topics: {
      realtime: ["screening.events"],
      backfill: ["screening.backfill"],
      verdicts: "screening.verdicts",
      deadLetters: "screening.dead-letters",
      retries: { "10s": "screening.retry.10s", "1m": "screening.retry.1m", "10m": "screening.retry.10m" },
      control: "screening.control",
    },
    recordMaxBytes: 786_432,
    sessionTimeoutMs: 30_000,
    passedHeaders: [
      ...["traceparent", "tracestate", "correlation-id", "x-correlation-id", "x-request-id", "kafka_correlationId"],
    ],
    inputKey: "none",
  });
});

describe("one unreadable variable", () => {
  test.each<[Env, RegExp]>([
    [{}, /^bad settings: KAFKA_BROKERS: must name the brokers, as host:port, comma-separated$/],
    [{ KAFKA_BROKERS: "," }, /KAFKA_BROKERS: must name a broker, as host:port$/],
    [{ KAFKA_BROKERS: "hunter2" }, /KAFKA_BROKERS \(entry 1\): must be host:port/],
    [{ KAFKA_BROKERS: "a:9092,hunter2:70000" }, /KAFKA_BROKERS \(entry 2\): must be host:port/],
    [{ KAFKA_BROKERS: "PLAINTEXT://hunter2:9092" }, /KAFKA_BROKERS \(entry 1\): must be host:port.* without a scheme/],
    [{ KAFKA_BROKERS: "[::1]:9092" }, /KAFKA_BROKERS \(entry 1\): .*an IPv6 address needs a host name/],
    [{ ...here, TOPICS_REALTIME: "ok,hunter2 hunter2" }, /TOPICS_REALTIME \(entry 2\): must have at most 249 letters/],
    [{ ...here, TOPIC_VERDICTS: ".." }, /TOPIC_VERDICTS: must have at most 249 letters/],
    [{ ...here, RECORD_MAX_BYTES: "hunter2" }, /RECORD_MAX_BYTES: must be a whole number/],
    [{ ...here, RECORD_MAX_BYTES: "524287" }, /RECORD_MAX_BYTES: must be at least 524288: the ticket of a large event/],
    [{ ...here, KAFKA_SESSION_TIMEOUT: "5s" }, /KAFKA_SESSION_TIMEOUT: must lie between 6s and 30min$/],
    [{ ...here, KAFKA_PASS_HEADERS: `${"a,".repeat(32)}hunter2` }, /KAFKA_PASS_HEADERS: must name at most 32/],
    [{ ...here, KAFKA_PASS_HEADERS: "a,hunter2 hunter2" }, /KAFKA_PASS_HEADERS \(entry 2\): .* no blank$/],
    [{ ...here, KAFKA_PASS_HEADERS: "weir-lane" }, /KAFKA_PASS_HEADERS .*must not begin with weir-/],
    [{ ...here, KAFKA_PASS_HEADERS: "__value_schema_id" }, /KAFKA_PASS_HEADERS .*describes the value of the event/],
    [{ ...here, KAFKA_INPUT_KEY_AS: "hunter2" }, /KAFKA_INPUT_KEY_AS: /],
    [{ ...here, KAFKA_TLS: "hunter2" }, /KAFKA_TLS: /],
    [{ ...here, KAFKA_SASL_MECHANISM: "hunter2" }, /KAFKA_SASL_MECHANISM: /],
  ])("%j", (env, message) => {
    expect(() => readEnv(KafkaEnv, env)).toThrow(message);
    expect(() => readEnv(KafkaEnv, env)).not.toThrow(/hunter2/);
  });
});

const far: Env = { KAFKA_BROKERS: "localhost:9092,broker.example:9092" };
const user: Env = { KAFKA_SASL_USERNAME: "weir", KAFKA_SASL_PASSWORD: "hunter2" };

const oauth: Env = {
  KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL: "https://login.example/token",
  KAFKA_SASL_OAUTHBEARER_CLIENT_ID: "weir",
  KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET: "hunter2",
};
const bearer: Env = { ...oauth, KAFKA_SASL_MECHANISM: "OAUTHBEARER" };

describe("conflicting variables", () => {
  test.each<[Env, string]>([
    [
      { ...here, TOPICS_REALTIME: ",", TOPICS_BACKFILL: "," },
      "TOPICS_REALTIME and TOPICS_BACKFILL name no topic: one of them must",
    ],
    [{ ...here, TOPIC_VERDICTS: "screening.events" }, "one topic is named twice among TOPICS_REALTIME, "],
    [{ ...here, TOPIC_CONTROL: "screening.retry.1m" }, "one topic is named twice among TOPICS_REALTIME, "],
    [
      { ...here, TOPIC_RETRY_PREFIX: "r".repeat(247) },
      "TOPIC_RETRY_PREFIX must leave room for .10s within 249 characters",
    ],
    [{ ...here, KAFKA_TLS_CA_FILE: "hunter2" }, "KAFKA_TLS_CA_FILE is set, and KAFKA_TLS is not true"],
    [
      { ...here, KAFKA_TLS: "true", KAFKA_TLS_CERT_FILE: "hunter2" },
      "KAFKA_TLS_CERT_FILE and KAFKA_TLS_KEY_FILE need each other",
    ],
    [{ ...here, ...user }, "a user name or password for SASL is set, and KAFKA_SASL_MECHANISM is not set"],
    [
      { ...here, KAFKA_SASL_MECHANISM: "plain" },
      "KAFKA_SASL_MECHANISM plain needs KAFKA_SASL_USERNAME; KAFKA_SASL_MECHANISM plain needs KAFKA_SASL_PASSWORD, or a file that KAFKA_SASL_PASSWORD_FILE names",
    ],
    [
      { ...here, ...user, KAFKA_SASL_MECHANISM: "plain", KAFKA_SASL_PASSWORD_FILE: "hunter2" },
      "KAFKA_SASL_PASSWORD and KAFKA_SASL_PASSWORD_FILE are both set: unset one of them",
    ],
    [
      { ...far, ...user, KAFKA_SASL_MECHANISM: "plain" },
      "KAFKA_SASL_MECHANISM plain without TLS lets the network learn or guess the password: set KAFKA_TLS=true, or KAFKA_ALLOW_PLAINTEXT=true where that is meant",
    ],
    [{ ...far, ...user, KAFKA_SASL_MECHANISM: "scram-sha-512" }, "KAFKA_SASL_MECHANISM scram-sha-512 without TLS"],
    [
      { ...here, KAFKA_SASL_MECHANISM: "aws-msk-iam" },
      "KAFKA_SASL_MECHANISM aws-msk-iam needs KAFKA_AWS_REGION; KAFKA_SASL_MECHANISM aws-msk-iam needs KAFKA_TLS=true",
    ],
    [
      { ...here, ...user, KAFKA_SASL_MECHANISM: "aws-msk-iam", KAFKA_TLS: "true", KAFKA_AWS_REGION: "hunter2" },
      "a user name or password for SASL is set, and KAFKA_SASL_MECHANISM is aws-msk-iam, which has none",
    ],
    [
      { ...here, ...oauth, KAFKA_SASL_MECHANISM: "plain", ...user },
      "KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL is set, and KAFKA_SASL_MECHANISM is not oauthbearer; KAFKA_SASL_OAUTHBEARER_CLIENT_ID is set, ",
    ],
    [
      { ...here, KAFKA_SASL_MECHANISM: "oauthbearer" },
      "KAFKA_SASL_MECHANISM oauthbearer needs KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL or KAFKA_SASL_OAUTHBEARER_TOKEN_FILE, and not both",
    ],
    [
      { ...here, ...bearer, KAFKA_SASL_OAUTHBEARER_TOKEN_FILE: "hunter2" },
      "KAFKA_SASL_MECHANISM oauthbearer needs KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL or ",
    ],
    [
      {
        ...here,
        KAFKA_SASL_MECHANISM: "oauthbearer",
        KAFKA_SASL_OAUTHBEARER_TOKEN_FILE: "f",
        KAFKA_SASL_OAUTHBEARER_SCOPE: "s",
      },
      "KAFKA_SASL_OAUTHBEARER_SCOPE is set, and KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL is not",
    ],
    [
      { ...here, KAFKA_SASL_MECHANISM: "oauthbearer", KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL: "https://a.example" },
      "KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL needs KAFKA_SASL_OAUTHBEARER_CLIENT_ID; KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL needs KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET or ",
    ],
    [
      { ...here, ...bearer, KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET_FILE: "f" },
      "KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL needs KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET or KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET_FILE, and not both",
    ],
    [
      { ...here, ...bearer, ...user },
      "a user name or password for SASL is set, and KAFKA_SASL_MECHANISM is oauthbearer",
    ],
    [{ ...far, ...bearer }, "KAFKA_SASL_MECHANISM oauthbearer without TLS lets the network learn or guess the token"],
    [{ ...here, KAFKA_AWS_REGION: "hunter2" }, "KAFKA_AWS_REGION is set, and KAFKA_SASL_MECHANISM is not aws-msk-iam"],
  ])("%j", async (env, message) => {
    const thrown = await settingsOf(env).catch((error: Error) => error);

    expect(thrown).toBeInstanceOf(ConfigInvalidError);
    expect(String(thrown)).toContain(`bad settings: ${message}`);
    expect(String(thrown)).not.toContain("hunter2");
  });

  test("are all named at once", async () => {
    const env = { ...here, TOPIC_VERDICTS: "screening.events", KAFKA_TLS_CA_FILE: "ca.pem", KAFKA_AWS_REGION: "r" };

    await expect(settingsOf(env)).rejects.toThrow(/named twice.*; KAFKA_TLS_CA_FILE is set.*; KAFKA_AWS_REGION is set/);
  });
});

describe("SASL", () => {
  test.each<[string, Env]>([
    ["on this machine", here],
    ["with TLS", { ...far, KAFKA_TLS: "true" }],
    ["where plain text is meant", { ...far, KAFKA_ALLOW_PLAINTEXT: "true" }],
  ])("accepts a password %s", async (_where, env) => {
    const { connection } = await settingsOf({ ...env, ...user, KAFKA_SASL_MECHANISM: "plain" });

    expect(connection.sasl).toMatchObject({ mechanism: "plain", username: "weir" });
    if (connection.sasl === undefined || !("password" in connection.sasl)) throw new Error("is plain");
    expect(connection.sasl.password.reveal()).toBe("hunter2");
    expect(JSON.stringify(connection)).not.toContain("hunter2");
  });

  test("reads a mechanism in Kafka's spelling, and a password file without its last line end", async () => {
    const file = await fileOf(" hunter2 \r\n");
    const env = {
      ...here,
      KAFKA_SASL_MECHANISM: "SCRAM-SHA-256",
      KAFKA_SASL_USERNAME: "weir",
      KAFKA_SASL_PASSWORD_FILE: file,
    };
    const { sasl } = (await settingsOf(env)).connection;

    if (sasl?.mechanism !== "scram-sha-256") throw new Error("is scram-sha-256");
    expect(sasl.password.reveal()).toBe(" hunter2 ");
  });

  test.each<[string, string, RegExp]>([
    ["empty", "\n", /^KAFKA_SASL_PASSWORD_FILE names a file that cannot be used: it is empty$/],
  ])("refuses a password file that is %s", async (_what, content, message) => {
    const env = { ...here, KAFKA_SASL_MECHANISM: "plain", KAFKA_SASL_USERNAME: "weir" };

    await expect(settingsOf({ ...env, KAFKA_SASL_PASSWORD_FILE: await fileOf(content) })).rejects.toThrow(message);
    await expect(settingsOf({ ...env, KAFKA_SASL_PASSWORD_FILE: "gone" })).rejects.toThrow(
      /^KAFKA_SASL_PASSWORD_FILE: cannot read gone: ENOENT/,
    );
  });

  test("accepts MSK's tokens with TLS and a region", async () => {
    const env = { ...far, KAFKA_TLS: "true", KAFKA_SASL_MECHANISM: "aws-msk-iam", KAFKA_AWS_REGION: "eu-west-1" };

    expect((await settingsOf(env)).connection).toMatchObject({
      tls: {},
      sasl: { mechanism: "aws-msk-iam", region: "eu-west-1" },
    });
  });
});

describe("TLS", () => {
  test("reads authorities, certificate and key, and refuses those that do not fit", async () => {
    const [cert, key] = certificate("one");
    const [, otherKey] = certificate("other");
    const env = { ...far, KAFKA_TLS: "true", KAFKA_TLS_CA_FILE: cert, KAFKA_TLS_CERT_FILE: cert };

    const { tls } = (await settingsOf({ ...env, KAFKA_TLS_KEY_FILE: key })).connection;
    expect(tls?.ca).toContain("BEGIN CERTIFICATE");
    expect(tls?.identity?.key.reveal()).toContain("PRIVATE KEY");
    expect(JSON.stringify(tls)).not.toContain("PRIVATE KEY");

    const mixed = settingsOf({ ...env, KAFKA_TLS_KEY_FILE: otherKey });
    await expect(mixed).rejects.toThrow(
      /^KAFKA_TLS_KEY_FILE names a file that cannot be used: its key is not that of the first certificate in the file of KAFKA_TLS_CERT_FILE$/,
    );
  });

  test.each(["no certificate", ""])("refuses authorities that hold %j", async (content) => {
    const settings = settingsOf({ ...far, KAFKA_TLS: "true", KAFKA_TLS_CA_FILE: await fileOf(content) });

    await expect(settings).rejects.toThrow(/^KAFKA_TLS_CA_FILE names a file that cannot be used: /);
  });
});

test.each([
  [["localhost:1", "127.0.0.1:2"], true],
  [["localhost:1", "10.0.0.1:2"], false],
  [["localhost.example:1"], false],
])("%j are all on this machine: %s", (brokers, isHere) => expect(areBrokersHere(brokers)).toBe(isHere));

/** A self-signed certificate and its key, valid for a hundred years. */
function certificate(name: string): readonly [cert: string, key: string] {
  return [`test/fixtures/tls/${name}.crt`, `test/fixtures/tls/${name}.key`];
}

describe("OAUTHBEARER", () => {
  test("accepts a token endpoint, and never shows its secret", async () => {
    const { connection } = await settingsOf({ ...far, ...bearer, KAFKA_TLS: "true" });

    expect(connection.sasl?.mechanism).toBe("oauthbearer");
    expect(JSON.stringify(connection)).not.toContain("hunter2");
  });

  test("reads the token file for each token", async () => {
    const file = await fileOf("token-1\n");
    const env = { ...here, KAFKA_SASL_MECHANISM: "oauthbearer", KAFKA_SASL_OAUTHBEARER_TOKEN_FILE: file };
    const { sasl } = (await settingsOf(env)).connection;
    if (sasl?.mechanism !== "oauthbearer") throw new Error("is oauthbearer");

    expect(await sasl.token()).toEqual({ value: "token-1" });
    await writeFile(file, "token-2");
    expect(await sasl.token()).toEqual({ value: "token-2" });
  });

  test.each([
    ["http://login.example/token", /TOKEN_ENDPOINT_URL is http, so the network can learn the client secret/],
    ["https://weir:hunter2@login.example/token", /TOKEN_ENDPOINT_URL must not hold a user name or a password/],
    ["hunter2", /TOKEN_ENDPOINT_URL must be an http or https URL/],
  ])("refuses an endpoint that is no https URL: %s", async (url, message) => {
    const thrown = settingsOf({ ...here, ...bearer, KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL: url });

    await expect(thrown).rejects.toThrow(message);
    await expect(thrown).rejects.not.toThrow(/hunter2/);
  });

  test("refuses absent files at the start", async () => {
    const mechanism = { ...here, KAFKA_SASL_MECHANISM: "oauthbearer" };
    const { KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET: _, ...rest } = bearer;
    const missing = "/nowhere/token";

    await expect(settingsOf({ ...mechanism, KAFKA_SASL_OAUTHBEARER_TOKEN_FILE: missing })).rejects.toThrow(
      "KAFKA_SASL_OAUTHBEARER_TOKEN_FILE: cannot read /nowhere/token",
    );
    await expect(settingsOf({ ...here, ...rest, KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET_FILE: missing })).rejects.toThrow(
      "KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET_FILE: cannot read /nowhere/token",
    );
    await expect(
      settingsOf({ ...here, ...rest, KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET_FILE: await fileOf("\n") }),
    ).rejects.toThrow("KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET_FILE names a file that cannot be used: it is empty");
  });
});
