import { z } from "zod";
import { eventFormats } from "../../../adapters/schema-registry/event-format.ts";
import { duration, flag } from "./fields.ts";

const text = z.string().min(1).optional();

/** Settings of the schema registry, by which records in other formats than JSON are read. */
export const RegistryEnv = z.object({
  EVENT_FORMAT: z
    .enum(eventFormats)
    .default("json")
    .describe(
      "Format of the input records: `json`, or `avro`, `protobuf` or `json-schema` by a schema registry. `auto` accepts all four. Any format but `json` needs SCHEMA_REGISTRY_URL.",
    ),
  SCHEMA_REGISTRY_URL: text.describe(
    "URL of the schema registry, such as https://registry:8081, or .../apis/ccompat/v7 for Apicurio. The URL must be https unless the registry is on this machine.",
  ),
  SCHEMA_REGISTRY_ALLOW_HTTP: flag.describe(
    "`true` allows http in SCHEMA_REGISTRY_URL for a registry on another machine. Schemas and passwords are then not encrypted.",
  ),
  SCHEMA_REGISTRY_API: z
    .enum(["confluent", "apicurio"])
    .default("confluent")
    .describe(
      "Interface of the registry: `confluent`, which many registries serve, or `apicurio` for the ids that Apicurio's own serializers write. The URL then ends with /apis/registry/v2 or /apis/registry/v3.",
    ),
  SCHEMA_REGISTRY_USE_ID: z
    .enum(["globalId", "contentId"])
    .optional()
    .describe(
      "Kind of the id in a record, as `apicurio.registry.use-id` of its producers. SCHEMA_REGISTRY_API=apicurio requires this setting.",
    ),
  SCHEMA_REGISTRY_USER: text.describe("User name for the schema registry (basic authentication)."),
  SCHEMA_REGISTRY_PASSWORD: text.describe("Password for the schema registry."),
  SCHEMA_REGISTRY_PASSWORD_FILE: text.describe(
    "File with the password, in place of SCHEMA_REGISTRY_PASSWORD. Weir reads the file again when the registry refuses the password.",
  ),
  SCHEMA_REGISTRY_TOKEN: text.describe("Bearer token for the schema registry, in place of a user name."),
  SCHEMA_REGISTRY_TOKEN_FILE: text.describe("File with the token, in place of SCHEMA_REGISTRY_TOKEN."),
  SCHEMA_REGISTRY_TLS_CA_FILE: text.describe(
    "PEM file of the certificate authorities to trust for the registry. When empty, Weir trusts the public authorities.",
  ),
  SCHEMA_REGISTRY_TLS_CERT_FILE: text.describe("PEM file of the client certificate for the registry, for mutual TLS."),
  SCHEMA_REGISTRY_TLS_KEY_FILE: text.describe("PEM file with the private key of SCHEMA_REGISTRY_TLS_CERT_FILE."),
  SCHEMA_REGISTRY_AUTO_REGISTER: flag.describe(
    "`true` lets a worker register the schema of VERDICT_FORMAT when the registry lacks it. Otherwise `weir doctor --create` does.",
  ),
  SCHEMA_REGISTRY_TIMEOUT: duration("5s").describe("Longest wait for one answer of the schema registry."),
});
export type RegistryConfig = z.output<typeof RegistryEnv>;
