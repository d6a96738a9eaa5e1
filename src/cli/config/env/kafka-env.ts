import { z } from "zod";
import {
  ALL_HEADERS,
  isNeverPassed,
  MOST_PASSED,
  TRACE_HEADERS,
} from "../../../adapters/kafka/consumer/passed-headers.ts";
import { verdictFormats } from "../../../adapters/schema-registry/verdicts/verdict-formats.ts";
import { count, duration, flag, list } from "./fields.ts";

/** The range of the port is checked where the address is used. */
const BROKER = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?:([1-9]\d{0,4})$/;
const brokers = list.pipe(
  z
    .array(
      z
        .string()
        .refine(
          (text) => Number(BROKER.exec(text)?.[2] ?? 65_536) < 65_536,
          "must be host:port, comma-separated, without a scheme; an IPv6 address needs a host name",
        ),
    )
    .min(1, "must name a broker, as host:port"),
);
const TOPIC_RULE = "must have at most 249 letters, digits, dots, dashes or underscores";
const topicName = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,249}$/, TOPIC_RULE)
  .refine((name) => name !== "." && name !== "..", TOPIC_RULE);
const named = z.string().min(1).optional();

/** Uses of the key of an input record. */
export const inputKeyUses = ["none", "header", "key"] as const;
export type InputKeyUse = (typeof inputKeyUses)[number];

const headerName = z
  .string()
  .regex(/^[\x21-\x7E]{1,64}$/, "must have 1 to 64 printable characters of ASCII, and no blank")
  .refine((name) => !/^weir-/i.test(name), "must not begin with weir-: Weir writes such headers itself")
  .refine((name) => !isNeverPassed(name), "must not be passed on: the header describes the value of the event");
const topic = (fallback: string) => topicName.prefault(fallback);
const topics = (fallback: string) => list.pipe(z.array(topicName)).prefault(fallback);

/** Settings of every command that uses Kafka. `kafka-settings.ts` checks their combination. */
export const KafkaEnv = z.object({
  KAFKA_BROKERS: z
    .string({ error: "must name the brokers, as host:port, comma-separated" })
    .pipe(brokers)
    .describe("Kafka brokers to connect to first, as host:port, separated by commas."),
  KAFKA_CLIENT_ID: z.string().min(1).default("weir").describe("Client name in the logs and quotas of the brokers."),
  KAFKA_GROUP_ID: z
    .string()
    .min(1)
    .default("weir")
    .describe(
      "Consumer group of both lanes. Other groups of Weir have this name with `-retry`, `-replay`, `-archive`, `-audit`, `-plan` or `-quota-...` appended.",
    ),
  TOPICS_REALTIME: topics("screening.events").describe("Topics of the realtime lane, separated by commas."),
  TOPICS_BACKFILL: topics("screening.backfill").describe("Topics of the backfill lane, separated by commas."),
  TOPIC_VERDICTS: topic("screening.verdicts").describe("Topic that Weir writes verdicts to."),
  TOPIC_DEAD_LETTERS: topic("screening.dead-letters").describe(
    "Topic of dead letters: records that are no events, and events after their last retry.",
  ),
  TOPIC_RETRY_PREFIX: topic("screening.retry").describe(
    "Prefix of the retry topics. The topics of retry tickets have this name with `.10s`, `.1m` and `.10m` appended.",
  ),
  TOPIC_CONTROL: topic("screening.control").describe("Topic of one partition by which processes share a quota."),
  RECORD_MAX_BYTES: count(786_432)
    .refine((bytes) => bytes >= 524_288, "must be at least 524288: the ticket of a large event takes as much")
    .describe("Largest record that Weir writes, in bytes. The topics must accept records of this size."),
  KAFKA_SESSION_TIMEOUT: duration("30s")
    .refine((ms) => ms >= 6_000 && ms <= 1_800_000, "must lie between 6s and 30min")
    .describe("Silence of a process after which the brokers assign its partitions to other processes."),
  KAFKA_PASS_HEADERS: list
    .pipe(z.array(headerName).max(MOST_PASSED, `must name at most ${MOST_PASSED} headers`))
    .prefault(TRACE_HEADERS.join(","))
    .describe(
      `Headers of an input record that come back with the verdict, also after a retry or a replay, separated by commas. \`${ALL_HEADERS}\` stands for all headers but those that describe the value. At most 32 headers and 8192 bytes in all; Weir logs the first header that is left out.`,
    ),
  KAFKA_INPUT_KEY_AS: z
    .enum(inputKeyUses)
    .default("none")
    .describe(
      "How the key of an input record comes back: `header` puts it into the header `input-key` of the verdict, and `key` makes it the key of the verdict as well. The key of a verdict is its subject otherwise, and for a key above 512 bytes.",
    ),
  KAFKA_REPLY_TOPICS: topics("").describe(
    "Topics that a record may name in its header `kafka_replyTopic`, separated by commas. The verdict is then written there as well. When empty, no record has a reply.",
  ),
  VERDICT_FORMAT: z
    .enum(verdictFormats)
    .default("json")
    .describe(
      "Further format of verdicts: `avro` or `json-schema`, by the schema registry. Weir writes such verdicts to TOPIC_VERDICTS_FORMATTED, and JSON to TOPIC_VERDICTS as always. `json` writes no further format.",
    ),
  TOPIC_VERDICTS_FORMATTED: topicName
    .optional()
    .describe(
      "Topic of verdicts in VERDICT_FORMAT. When empty, the topic has the name of TOPIC_VERDICTS with `.avro` or `.json-schema` appended.",
    ),
  KAFKA_TLS: flag.describe("`true` encrypts connections and checks the certificates and host names of the brokers."),
  KAFKA_TLS_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      "PEM file of the certificate authorities to trust for Kafka. When empty, Weir trusts the public authorities.",
    ),
  KAFKA_TLS_CERT_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("PEM file of the client certificate for Kafka, for mutual TLS."),
  KAFKA_TLS_KEY_FILE: z.string().min(1).optional().describe("PEM file with the private key of KAFKA_TLS_CERT_FILE."),
  KAFKA_SASL_MECHANISM: z
    // The spelling of mechanisms in Kafka: PLAIN, SCRAM-SHA-512.
    .string()
    .toLowerCase()
    .pipe(z.enum(["plain", "scram-sha-256", "scram-sha-512", "aws-msk-iam", "oauthbearer"]))
    .optional()
    .describe(
      "SASL mechanism: `plain`, `scram-sha-256`, `scram-sha-512`, `aws-msk-iam` or `oauthbearer`. Upper and lower case are equal. When empty, Weir does not use SASL.",
    ),
  KAFKA_SASL_USERNAME: z.string().min(1).optional().describe("User name for SASL."),
  KAFKA_SASL_PASSWORD: z.string().min(1).optional().describe("Password for SASL."),
  KAFKA_SASL_PASSWORD_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("File with the SASL password, in place of KAFKA_SASL_PASSWORD."),
  KAFKA_SASL_OAUTHBEARER_TOKEN_FILE: named.describe(
    "File with the token for `oauthbearer`, in place of the token endpoint. Weir reads the file again for each connection.",
  ),
  KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL: named.describe(
    "Token endpoint for `oauthbearer` (OAuth 2.0 client credentials). The URL must be https unless the endpoint is on this machine. Weir fetches a new token after four fifths of a token's lifetime.",
  ),
  KAFKA_SASL_OAUTHBEARER_CLIENT_ID: named.describe("Client id at the token endpoint."),
  KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET: named.describe("Client secret at the token endpoint."),
  KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET_FILE: named.describe(
    "File with the client secret, in place of KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET. Weir reads the file again for each token.",
  ),
  KAFKA_SASL_OAUTHBEARER_SCOPE: named.describe(
    "Scope of the requested token. When empty, the token endpoint uses its default scope.",
  ),
  KAFKA_ALLOW_PLAINTEXT: flag.describe(
    "`true` allows a SASL password or token without TLS to brokers on other machines.",
  ),
  KAFKA_AWS_REGION: z.string().min(1).optional().describe("AWS region of the MSK cluster, for `aws-msk-iam`."),
});
