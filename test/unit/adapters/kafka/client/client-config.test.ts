import kafkajs, { type AuthenticationProviderArgs } from "kafkajs";
import { describe, expect, test } from "vitest";
import { clientConfig, type KafkaConnection } from "../../../../../src/adapters/kafka/client/client-config.ts";
import { Secret } from "../../../../../src/kernel/secret.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";

const plain: KafkaConnection = { brokers: ["a:1", "b:2"], clientId: "weir" };
const configOf = (connection: KafkaConnection) => clientConfig(connection, new FakeLog());

test("brokers, time limits and retries", () => {
  expect(configOf(plain)).toEqual({
    brokers: ["a:1", "b:2"],
    clientId: "weir",
    connectionTimeout: 10_000,
    authenticationTimeout: 10_000,
    requestTimeout: 30_000,
    retry: { initialRetryTime: 300, maxRetryTime: 3_000, retries: 12 },
    logLevel: kafkajs.logLevel.INFO,
    logCreator: expect.any(Function),
  });
});

test("TLS checks certificates, whatever other settings are", () => {
  expect(configOf({ ...plain, tls: {} }).ssl).toEqual({ rejectUnauthorized: true, minVersion: "TLSv1.2" });
  expect(configOf({ ...plain, tls: { ca: "CA", identity: { cert: "CERT", key: new Secret("KEY") } } }).ssl).toEqual({
    rejectUnauthorized: true,
    minVersion: "TLSv1.2",
    ca: "CA",
    cert: "CERT",
    key: "KEY",
  });
});

test("SASL with a password", () => {
  const sasl = { mechanism: "scram-sha-512", username: "weir", password: new Secret("hunter2") } as const;

  expect(configOf({ ...plain, sasl }).sasl).toEqual({
    mechanism: "scram-sha-512",
    username: "weir",
    password: "hunter2",
  });
});

test("SASL with the tokens of MSK, signed by the SDK's own credentials", async () => {
  const { sasl } = configOf({ ...plain, sasl: { mechanism: "aws-msk-iam", region: "eu-west-1" } });
  if (sasl?.mechanism !== "oauthbearer" || !("authenticationProvider" in sasl)) throw new Error("is oauthbearer");
  let told = "";
  const saslAuthenticate: AuthenticationProviderArgs["saslAuthenticate"] = async ({ request }) => {
    told = (await request.encode()).toString();
  };

  process.env["AWS_ACCESS_KEY_ID"] = "AKIAEXAMPLE";
  process.env["AWS_SECRET_ACCESS_KEY"] = "hunter2";
  try {
    await sasl.authenticationProvider({ saslAuthenticate } as AuthenticationProviderArgs).authenticate();
    const [, token = ""] = /auth=Bearer ([\w.~+/=-]+)/.exec(told) ?? [];
    const url = new URL(Buffer.from(token, "base64url").toString());
    expect(url.host).toBe("kafka.eu-west-1.amazonaws.com");
    expect(url.searchParams.get("X-Amz-Credential")).toMatch(/^AKIAEXAMPLE\/\d{8}\/eu-west-1\/kafka-cluster\//);
    expect(url.href).not.toContain("hunter2");
  } finally {
    delete process.env["AWS_ACCESS_KEY_ID"];
    delete process.env["AWS_SECRET_ACCESS_KEY"];
  }
});

describe("a line of kafkajs's log", () => {
  const { DEBUG, ERROR, INFO, WARN } = kafkajs.logLevel;

  test.each([
    [ERROR, "warn"],
    [WARN, "warn"],
    [INFO, "info"],
    [DEBUG, "debug"],
  ] as const)("of level %s becomes a line of level %s", (level, ours) => {
    const log = new FakeLog();
    const entry = { timestamp: "2026-01-01T00:00:00.000Z", message: "Connection error", broker: "a:1", retryCount: 2 };
    clientConfig(plain, log).logCreator?.(INFO)({ namespace: "Connection", level, label: "", log: entry });

    expect(log.lines).toEqual([
      {
        level: ours,
        message: "kafkajs: Connection error",
        fields: { part: "Connection", broker: "a:1", retryCount: 2 },
      },
    ]);
  });

  test("loses unknown fields and objects", () => {
    const log = new FakeLog();
    const entry = {
      timestamp: "",
      message: "m",
      payload: "hunter2",
      sasl: { password: "hunter2" },
      error: { password: "hunter2" },
      stack: "hunter2",
    };
    clientConfig(plain, log).logCreator?.(INFO)({ namespace: "", level: INFO, label: "", log: entry });

    expect(log.lines).toEqual([{ level: "info", message: "kafkajs: m", fields: { part: "" } }]);
  });
});
