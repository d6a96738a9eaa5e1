import type { ObjectMetadata } from "../../archive/object.ts";

/** Some S3 servers drop empty values, so the first object of a partition has this value for the object before it. */
const NONE = "none";

interface Field<T> {
  /** Name after `x-amz-meta-`. */
  readonly name: string;
  write(value: T): string;
  /** Undefined for a text that `write` never produces. */
  read(text: string): T | undefined;
}

const text = (name: string): Field<string> => ({
  name,
  write: (value) => value,
  read: (value) => (value === "" ? undefined : value),
});

const whole = (name: string): Field<number> => ({
  name,
  write: String,
  read: (value) =>
    /^(0|[1-9]\d{0,15})$/.test(value) && Number.isSafeInteger(Number(value)) ? Number(value) : undefined,
});

const hash = (name: string): Field<string> => ({
  name,
  write: (value) => value,
  read: (value) => (/^[0-9a-f]{64}$/.test(value) ? value : undefined),
});

const hashOrNone = (name: string): Field<string> => ({
  name,
  write: (value) => (value === "" ? NONE : value),
  read: (value) => (value === NONE ? "" : hash(name).read(value)),
});

const fields = {
  schema: text("schema"),
  topic: text("topic"),
  partition: whole("partition"),
  start: whole("start"),
  end: whole("end"),
  count: whole("count"),
  sha256: hash("sha256"),
  previous_sha256: hashOrNone("previous-sha256"),
} as const satisfies { readonly [K in keyof ObjectMetadata]: Field<ObjectMetadata[K]> };

/** The metadata as headers `x-amz-meta-*`. */
export function toUserMetadata(metadata: ObjectMetadata): Record<string, string> {
  const { schema, topic, partition, start, end, count, sha256, previous_sha256 } = fields;
  return {
    [schema.name]: schema.write(metadata.schema),
    [topic.name]: topic.write(metadata.topic),
    [partition.name]: partition.write(metadata.partition),
    [start.name]: start.write(metadata.start),
    [end.name]: end.write(metadata.end),
    [count.name]: count.write(metadata.count),
    [sha256.name]: sha256.write(metadata.sha256),
    [previous_sha256.name]: previous_sha256.write(metadata.previous_sha256),
  };
}

/**
 * The metadata of the headers, or the name of a wrong field: the first one that is missing or that `toUserMetadata`
 * never writes.
 */
export function fromUserMetadata(
  given: Readonly<Record<string, string>>,
): { readonly metadata: ObjectMetadata } | { readonly wrong: string } {
  const wrong: string[] = [];
  const read = <T>({ name, read }: Field<T>, otherwise: T): T => {
    const value = read(given[name] ?? "");
    if (value === undefined) wrong.push(name);
    return value ?? otherwise;
  };
  const metadata: ObjectMetadata = {
    schema: read(fields.schema, ""),
    topic: read(fields.topic, ""),
    partition: read(fields.partition, 0),
    start: read(fields.start, 0),
    end: read(fields.end, 0),
    count: read(fields.count, 0),
    sha256: read(fields.sha256, ""),
    previous_sha256: read(fields.previous_sha256, ""),
  };
  const [first] = wrong;
  return first === undefined ? { metadata } : { wrong: first };
}
