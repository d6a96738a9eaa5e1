import { createServer, type Server } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { KafkaConnection } from "../../../../../src/adapters/kafka/client/client-config.ts";
import { kafkaClient } from "../../../../../src/adapters/kafka/client/kafka-client.ts";
import { connectionFailure } from "../../../../../src/adapters/kafka/consumer/connection-failure.ts";
import { Secret } from "../../../../../src/kernel/secret.ts";
import { protocolError } from "../../../../fakes/fake-kafka-admin.ts";
import { FakeLog } from "../../../../fakes/fake-log.ts";

/** An error in the form of kafkajs: wrapped, with its own code or name. */
function kafkaError(marks: { readonly name?: string; readonly code?: string | number; readonly type?: string }): Error {
  const cause = Object.assign(
    new Error("Connection error: in its own words"),
    { name: "KafkaJSConnectionError" },
    marks,
  );
  return Object.assign(new Error(cause.message, { cause }), { name: "KafkaJSNumberOfRetriesExceeded" });
}

test.each<[Error, string]>([
  [kafkaError({ code: "ECONNREFUSED" }), "nothing listens there"],
  [kafkaError({ code: "ENOTFOUND" }), "the host name does not resolve"],
  [kafkaError({ code: "ERR_TLS_CERT_ALTNAME_INVALID" }), "the TLS certificate is for another host"],
  [
    kafkaError({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }),
    "the TLS certificate is signed by an authority that this client does not trust",
  ],
  [kafkaError({ code: "CERT_HAS_EXPIRED" }), "the TLS certificate has expired"],
  [kafkaError({ code: "ECONNRESET" }), "the broker closed the connection at once"],
  [kafkaError({}), "the broker does not answer"],
  [kafkaError({ name: "KafkaJSRequestTimeoutError" }), "the broker does not answer"],
  [kafkaError({ name: "KafkaJSConnectionClosedError" }), "the broker closed the connection at once"],
  [kafkaError({ name: "KafkaJSSASLAuthenticationError" }), "the broker refuses the SASL credentials of this client"],
  [protocolError("UNSUPPORTED_SASL_MECHANISM"), "the broker does not offer this SASL mechanism"],
  [protocolError("ILLEGAL_SASL_STATE"), "the broker accepts no SASL on this port"],
  [protocolError("CLUSTER_AUTHORIZATION_FAILED"), "the broker says CLUSTER_AUTHORIZATION_FAILED"],
  [kafkaError({ code: "ERR_SSL_NO_CIPHERS" }), "Connection error: in its own words"],
])("%# %s: %s", (error, detail) => {
  const failure = connectionFailure(error);

  expect(failure.detail).toBe(detail);
  expect(failure.remedy).not.toBe("");
});

test("a value that is no error is shown as it is", () => {
  expect(connectionFailure("odd")).toEqual({ detail: "odd", remedy: "see the broker's log" });
});

/** The errors of kafkajs for servers that are no Kafka brokers. */
test.each<[string, Partial<KafkaConnection>, ((server: Server) => void) | undefined, string]>([
  ["nobody", {}, undefined, "nothing listens there"],
  [
    "who hangs up",
    {},
    (server) => server.on("connection", (socket) => socket.destroy()),
    "the broker closed the connection at once",
  ],
  [
    "who hangs up on TLS",
    { tls: {} },
    (server) => server.on("connection", (socket) => socket.destroy()),
    "the broker closed the connection at once",
  ],
  ["who says nothing", {}, () => undefined, "the broker does not answer"],
  [
    "who says nothing to SASL",
    { sasl: { mechanism: "plain", username: "u", password: new Secret("p") } },
    () => undefined,
    "the broker does not answer",
  ],
])("kafkajs meets this peer: %s", async (_whom, connection, behave, detail) => {
  const server = createServer((socket) => socket.on("error", () => undefined));
  behave?.(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  if (behave === undefined) server.close();
  const client = kafkaClient({ brokers: [`127.0.0.1:${port}`], clientId: "weir", ...connection }, new FakeLog(), {
    retry: { retries: 0 },
    connectionTimeout: 200,
    requestTimeout: 200,
  });
  const admin = client.admin();
  onTestFinished(async () => {
    await admin.disconnect();
    server.close();
  });

  const thrown = await admin.connect().catch((error: unknown) => error);

  expect(connectionFailure(thrown).detail).toBe(detail);
});
