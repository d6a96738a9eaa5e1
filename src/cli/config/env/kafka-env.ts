import { z } from "zod";
import { CARRIED } from "../../../adapters/kafka/consumer/stream-record.ts";
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
const MOST_CARRIED = 8;
const headerName = z
  .string()
  .regex(/^[\x21-\x7E]{1,64}$/, "must have 1 to 64 printable characters of ASCII, and no blank")
  .refine((name) => !name.startsWith("weir-"), "must not begin with weir-: Weir writes such headers itself");
const topic = (fallback: string) => topicName.prefault(fallback);
const topics = (fallback: string) => list.pipe(z.array(topicName)).prefault(fallback);

/** Settings of every command that uses Kafka. `kafka-settings.ts` checks their combination. */
export const KafkaEnv = z.object({
  KAFKA_BROKERS: z
    .string({ error: "must name the brokers, as host:port, comma-separated" })
    .pipe(brokers)
    .describe("brokers to begin with, as host:port, comma-separated"),
  KAFKA_CLIENT_ID: z.string().min(1).default("weir").describe("how the brokers' logs and quotas name this client"),
  KAFKA_GROUP_ID: z
    .string()
    .min(1)
    .default("weir")
    .describe(
      "consumer group of both lanes; `-retry`, `-replay`, `-archive`, `-audit`, `-plan` and `-quota-...` are made of it",
    ),
  TOPICS_REALTIME: topics("screening.events").describe("topics of events that wait for their verdict, comma-separated"),
  TOPICS_BACKFILL: topics("screening.backfill").describe("topics of events that can wait, comma-separated"),
  TOPIC_VERDICTS: topic("screening.verdicts").describe("topic that verdicts go to"),
  TOPIC_DEAD_LETTERS: topic("screening.dead-letters").describe("topic of events that could not be screened"),
  TOPIC_RETRY_PREFIX: topic("screening.retry").describe("`.10s`, `.1m` and `.10m` after it name the topics of tickets"),
  TOPIC_CONTROL: topic("screening.control").describe("topic of one partition, by which processes share a quota"),
  RECORD_MAX_BYTES: count(786_432)
    .refine((bytes) => bytes >= 524_288, "must be at least 524288: the ticket of a large event takes as much")
    .describe("longest record that is written; the topics must take it"),
  KAFKA_SESSION_TIMEOUT: duration("30s")
    .refine((ms) => ms >= 6_000 && ms <= 1_800_000, "must lie between 6s and 30min")
    .describe("silence after which the brokers give a process's partitions to others"),
  KAFKA_CARRIED_HEADERS: list
    .pipe(z.array(headerName).max(MOST_CARRIED, `must name at most ${MOST_CARRIED} headers`))
    .prefault(CARRIED.join(","))
    .describe(
      "headers of an input record that go on with its verdict, tickets and dead letter, comma-separated, at most 8, those of a record that is no event too; values of up to 512 bytes, 2048 bytes in all",
    ),
  KAFKA_TLS: flag.describe("`true` encrypts connections and checks the brokers' certificates and host names"),
  KAFKA_TLS_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("PEM file of the authorities to trust; empty = the public ones"),
  KAFKA_TLS_CERT_FILE: z.string().min(1).optional().describe("PEM file of the client's certificate, for mutual TLS"),
  KAFKA_TLS_KEY_FILE: z.string().min(1).optional().describe("PEM file of the client certificate's key"),
  KAFKA_SASL_MECHANISM: z
    // The spelling of mechanisms in Kafka: PLAIN, SCRAM-SHA-512.
    .string()
    .toLowerCase()
    .pipe(z.enum(["plain", "scram-sha-256", "scram-sha-512", "aws-msk-iam", "oauthbearer"]))
    .optional()
    .describe("`plain`, `scram-sha-256`, `scram-sha-512`, `aws-msk-iam` or `oauthbearer`, in any case; empty = none"),
  KAFKA_SASL_USERNAME: z.string().min(1).optional().describe("user name for SASL"),
  KAFKA_SASL_PASSWORD: z.string().min(1).optional().describe("password for SASL"),
  KAFKA_SASL_PASSWORD_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("file that holds the password, in place of KAFKA_SASL_PASSWORD"),
  KAFKA_SASL_OAUTHBEARER_TOKEN_FILE: named.describe(
    "file that holds the token for `oauthbearer`, read again for each connection; in place of the token endpoint",
  ),
  KAFKA_SASL_OAUTHBEARER_TOKEN_ENDPOINT_URL: named.describe(
    "token endpoint for `oauthbearer` (OAuth 2.0 client credentials), https but on this machine; a token is fetched anew after four fifths of its life",
  ),
  KAFKA_SASL_OAUTHBEARER_CLIENT_ID: named.describe("client id at the token endpoint"),
  KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET: named.describe("client secret at the token endpoint"),
  KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET_FILE: named.describe(
    "file that holds the secret, in place of KAFKA_SASL_OAUTHBEARER_CLIENT_SECRET; read again for each token",
  ),
  KAFKA_SASL_OAUTHBEARER_SCOPE: named.describe("scope that the token endpoint is asked for; empty = its default"),
  KAFKA_ALLOW_PLAINTEXT: flag.describe("`true` lets a SASL password or token be used without TLS beyond this machine"),
  KAFKA_AWS_REGION: z.string().min(1).optional().describe("region of the MSK cluster, for `aws-msk-iam`"),
});
