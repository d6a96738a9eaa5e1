import { toError } from "../../../kernel/errors.ts";
import { TokenError } from "../client/oauth-token.ts";
import type { CheckedItem } from "../topics/check.ts";

type Failure = Pick<CheckedItem, "detail" | "remedy">;

const untrusted: Failure = {
  detail: "the TLS certificate is signed by an authority that this client does not trust",
  remedy: "name the file of its authority in KAFKA_TLS_CA_FILE",
};
const unroutable: Failure = { detail: "no route leads to the broker", remedy: "check the network of this machine" };
const silent: Failure = {
  detail: "the broker does not answer",
  remedy:
    "check that no firewall blocks the connection, that the port is a Kafka port, and that KAFKA_TLS matches the listener",
};

/** Failures by the code of the socket or of OpenSSL, by the type of the protocol's error, or else by kafkajs's name. */
const failures = new Map<string, Failure>([
  [
    "ECONNREFUSED",
    { detail: "nothing listens there", remedy: "check that the broker runs and that the port is right" },
  ],
  ["ENOTFOUND", { detail: "the host name does not resolve", remedy: "correct the name, or this machine's DNS" }],
  ["EAI_AGAIN", { detail: "the host name cannot be resolved now", remedy: "check the DNS of this machine" }],
  ["EHOSTUNREACH", unroutable],
  ["ENETUNREACH", unroutable],
  ["ETIMEDOUT", silent],
  ["DEPTH_ZERO_SELF_SIGNED_CERT", untrusted],
  ["SELF_SIGNED_CERT_IN_CHAIN", untrusted],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", untrusted],
  ["UNABLE_TO_GET_ISSUER_CERT", untrusted],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", untrusted],
  [
    "ERR_TLS_CERT_ALTNAME_INVALID",
    { detail: "the TLS certificate is for another host", remedy: "name the broker as its certificate does" },
  ],
  ["CERT_HAS_EXPIRED", { detail: "the TLS certificate has expired", remedy: "renew the broker's certificate" }],
  [
    "CERT_NOT_YET_VALID",
    { detail: "the TLS certificate is not valid yet", remedy: "see that this machine's clock is right" },
  ],
  [
    "ECONNRESET",
    {
      detail: "the broker closed the connection at once",
      remedy: "check that KAFKA_TLS matches the listener, and that the broker accepts the certificate of this client",
    },
  ],
  [
    "UNSUPPORTED_SASL_MECHANISM",
    {
      detail: "the broker does not offer this SASL mechanism",
      remedy: "set KAFKA_SASL_MECHANISM to a mechanism of the broker",
    },
  ],
  [
    "ILLEGAL_SASL_STATE",
    {
      detail: "the broker accepts no SASL on this port",
      remedy: "unset KAFKA_SASL_MECHANISM, or name the port of a SASL listener",
    },
  ],
  [
    "KafkaJSSASLAuthenticationError",
    {
      detail: "the broker refuses the SASL credentials of this client",
      remedy:
        "correct KAFKA_SASL_USERNAME and the password, the rights of the AWS role, or the token's issuer and audience",
    },
  ],
  [
    "KafkaJSConnectionClosedError",
    {
      detail: "the broker closed the connection at once",
      remedy: "check that KAFKA_TLS and KAFKA_SASL_MECHANISM match the listener",
    },
  ],
  ["KafkaJSRequestTimeoutError", silent],
  // A connection that was never made has no code.
  ["KafkaJSConnectionError", silent],
]);

/** The reason why a broker was not reached, and the remedy. For an unknown error, its message. */
export function connectionFailure(thrown: unknown): Failure {
  const error = innermost(toError(thrown));
  if (error instanceof TokenError) return { detail: error.message, remedy: error.remedy };
  // The code of a protocol error is a number, and its type is the same in a word.
  const marks: readonly unknown[] = [Reflect.get(error, "code"), Reflect.get(error, "type"), error.name];
  const mark = marks.find((each) => typeof each === "string");
  return failures.get(String(mark)) ?? { detail: error.message, remedy: "see the broker's log" };
}

function innermost(error: Error): Error {
  return error.cause instanceof Error ? innermost(error.cause) : error;
}
