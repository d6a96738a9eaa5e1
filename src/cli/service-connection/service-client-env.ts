import { z } from "zod";
import { count, flag } from "../config/env/fields.ts";
import { quota } from "../config/env/quota-field.ts";

/** The name of the dialect that needs no file. */
export const INTERFACE = "interface";

/** Variables of every command that sends requests to the service. */
export const ServiceClientEnv = z.object({
  SERVICE_URL: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .optional()
    .describe(
      "URL of the security service. The URL must be https unless the service is on this machine. When empty, Weir starts a service of its own.",
    ),
  SERVICE_ALLOW_HTTP: flag.describe(
    "`true` allows http in SERVICE_URL for a service on another machine. Requests and keys are then not encrypted.",
  ),
  SERVICE_API_KEY: z.string().min(1).optional().describe("API key for the service at SERVICE_URL."),
  SERVICE_API_KEY_FILE: z.string().min(1).optional().describe("File with the API key, in place of SERVICE_API_KEY."),
  SERVICE_DIALECT: z
    .string()
    .min(1)
    .default(INTERFACE)
    .describe(
      "YAML file with the differences between the service and the interface (docs/other-services.md). `interface` means no differences.",
    ),
  SERVICE_ADAPTER: z
    .string()
    .min(1)
    .optional()
    .describe(
      "ES module that translates requests and answers for a service with another interface (docs/service-adapters.md). The module runs in this process.",
    ),
  SERVICE_TLS_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      "PEM file of the certificate authorities to trust for SERVICE_URL. When empty, Weir trusts the public authorities.",
    ),
  SERVICE_TLS_CERT_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("PEM file of the client certificate for SERVICE_URL, for mutual TLS."),
  SERVICE_TLS_KEY_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("PEM file with the private key of SERVICE_TLS_CERT_FILE."),
  SERVICE_TIMEOUT_MS: count(10_000).describe("Longest wait for one answer of the service, in milliseconds."),
  SERVICE_QUOTA: quota
    .optional()
    .describe(
      "Quota of the API key: requests in a window, for example `50/1s`, `600/1min`, `5000/1h` or `100000/1d`. Weir sends evenly and a little below the quota; the log names the rate at the start. When empty, Weir learns the quota from 429 answers.",
    ),
  SERVICE_QUOTA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe(
      "File that stores the learned quota. When empty, `weir screen` uses DIR/quota.json, and `weir worker` stores nothing.",
    ),
});
