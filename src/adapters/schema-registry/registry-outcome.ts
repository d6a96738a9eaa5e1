/** Outcomes of a request for a schema. `unusable`: the schema is not there, or cannot be used. */
export const registryOutcomes = ["ok", "unusable", "unauthorized", "failed"] as const;
export type RegistryOutcome = (typeof registryOutcomes)[number];
