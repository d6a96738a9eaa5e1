import type { ObjectMetadata } from "../../../archive/object.ts";

/** Extension of an object's file; the metadata file stands beside it. S3 keeps the same fields on the object itself. */
export const OBJECT = ".ndjson.gz";
export const METADATA = ".meta.json";

/** The metadata file of the object in `file`, and the reverse. */
export function metadataOf(file: string): string {
  return `${file.slice(0, -OBJECT.length)}${METADATA}`;
}

export function objectOfMetadata(file: string): string {
  return `${file.slice(0, -METADATA.length)}${OBJECT}`;
}

/** The exact metadata of an archiver; undefined for any other text. */
export function metadataIn(text: string): ObjectMetadata | undefined {
  const { schema, topic, partition, start, end, count, sha256, previous_sha256 } = objectIn(text);
  if (typeof schema !== "string" || typeof topic !== "string" || schema === "" || topic === "") return undefined;
  if (!isCount(partition) || !isCount(start) || !isCount(end) || !isCount(count)) return undefined;
  if (!isHash(sha256) || (previous_sha256 !== "" && !isHash(previous_sha256))) return undefined;
  return { schema, topic, partition, start, end, count, sha256, previous_sha256 };
}

function objectIn(text: string): Partial<Record<keyof ObjectMetadata, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

function isHash(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}
