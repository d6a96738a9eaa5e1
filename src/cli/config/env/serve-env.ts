import { z } from "zod";
import { logLevels } from "../../../adapters/logging/log-levels.ts";
import { flagOr, list, port, portNumber } from "./fields.ts";
import { EvmEnv, solanaNodes, tronNodes } from "./nodes-env.ts";
import { quota } from "./quota-field.ts";

/** One row per variable: name, type, default, unit. The README's table is printed from these by `npm run docs`. */
export const adminHost = z
  .string()
  .min(1)
  .default("127.0.0.1")
  .describe("Address that the admin server (/livez, /readyz, /metrics) listens on.");

/** Settings of every long-running command. */
export const sharedEnv = {
  LOG_LEVEL: z
    .enum(logLevels)
    .default("info")
    .describe("Least severe level of log lines that are written. Log lines are JSON."),
};

/** Variables of `weir serve`. */
export const ServeEnv = z.object({
  HOST: z.string().min(1).default("127.0.0.1").describe("Address that the service listens on."),
  PORT: port("8080").describe("Port that the service listens on. 0 picks a free port."),
  SERVICE_API_KEYS: list.optional().describe("API keys that clients may use, separated by commas."),
  SERVICE_API_KEYS_FILE: z
    .string()
    .min(1)
    .optional()
    .describe("File with one API key a line, in place of SERVICE_API_KEYS."),
  SERVICE_RATE_LIMIT: quota
    .optional()
    .describe("Requests that one key may make, for example `50/1s` or `100000/1d`. When empty, keys have no limit."),
  LABELS_FILES: list
    .prefault("")
    .describe("CSV or JSON files of labels, separated by commas. Weir reloads a file when the file changes."),
  LISTS_FILES: list
    .prefault("")
    .describe(
      "List files, separated by commas. Rows that block or warn count as rows of LABELS_FILES; rows that allow have no effect in the service. Weir reloads a file when the file changes.",
    ),
  BUNDLED_LABELS: flagOr("true").describe(
    "`false` leaves out the labels of bridges, protocols and tokens that ship in data/.",
  ),
  ADMIN_HOST: adminHost,
  ADMIN_PORT: portNumber
    .optional()
    .describe("Port of the admin server (/livez, /readyz, /metrics). When empty, the service has no admin server."),
  ...tronNodes,
  ...solanaNodes,
  ...EvmEnv.shape,
  ...sharedEnv,
});

/** Variables of `weir labels`. */
export const LabelsEnv = z.object({
  ...ServeEnv.pick({ LABELS_FILES: true, BUNDLED_LABELS: true }).shape,
  LISTS_FILES: list
    .prefault("")
    .describe("List files, separated by commas, in the form that `weir screen` and `weir worker` read."),
});
