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
    .describe("security service, https but on this machine; empty = an embedded one"),
  SERVICE_ALLOW_HTTP: flag.describe("`true` lets SERVICE_URL be http beyond this machine, where others may listen in"),
  SERVICE_API_KEY: z.string().min(1).optional().describe("key for SERVICE_URL"),
  SERVICE_API_KEY_FILE: z.string().min(1).optional().describe("file that holds the key, in place of SERVICE_API_KEY"),
  SERVICE_DIALECT: z
    .string()
    .min(1)
    .default(INTERFACE)
    .describe(
      "YAML file that says how the service differs from the interface (docs/other-services.md); `interface` = not at all",
    ),
  SERVICE_ADAPTER: z
    .string()
    .min(1)
    .optional()
    .describe(
      "ES module that translates for a service of another shape (docs/service-adapters.md), run within this process; empty = none",
    ),
  SERVICE_TLS_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("PEM file of the authorities to trust for SERVICE_URL; empty = the public ones"),
  SERVICE_TLS_CERT_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("PEM file of the client's certificate for SERVICE_URL, for mutual TLS"),
  SERVICE_TLS_KEY_FILE: z.string().min(1).optional().describe("PEM file of that certificate's key"),
  SERVICE_TIMEOUT_MS: count(10_000).describe("longest wait for one answer, milliseconds"),
  SERVICE_QUOTA: quota
    .optional()
    .describe(
      "requests that the key may make, e.g. `50/1s`, `600/1min`, `5000/1h` or `100000/1d`; sent evenly and a little slower than that: `1/1s` at 0.98 a second, `10/1min` at 9 a minute, `1/1min` at one in two minutes (the log says at the start how fast, and why); empty = learned",
    ),
  SERVICE_QUOTA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("file that keeps what was learned; empty = DIR/quota.json of `weir screen`, none of `weir worker`"),
});
