/** The formats of input records. `auto` takes JSON and every format of the registry. */
export const eventFormats = ["json", "avro", "protobuf", "json-schema", "auto"] as const;
export type EventFormat = (typeof eventFormats)[number];
