/** The formats of verdicts. Any format but `json` is written to a topic of its own. */
export const verdictFormats = ["json", "avro", "json-schema"] as const;
export type VerdictFormat = (typeof verdictFormats)[number];
