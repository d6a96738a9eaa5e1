import { z } from "zod";

/** The setting that names the file of all other settings. */
export const ConfigFileEnv = z.object({
  WEIR_CONFIG: z
    .string()
    .min(1)
    .optional()
    .describe(
      "YAML file of settings, as --config names one. A variable of the environment replaces its setting of the file.",
    ),
});
