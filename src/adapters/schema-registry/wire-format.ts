import { fail, ok, type Result } from "../../kernel/result.ts";
import type { HeaderValue, RecordHeaders } from "../../kernel/stream.ts";
import { SCHEMA_HEADER } from "../../messages/record-key.ts";

/** The name of a schema in a registry: the kind of the id, as it stands in the registry's paths, and the id. */
export interface SchemaRef {
  readonly by: "ids" | "guids" | "globalIds" | "contentIds";
  readonly id: string;
}

/**
 * How a registry's clients name schemas. `ids`: Confluent's interface. Apicurio's own interface has two kinds of ids,
 * and a record does not say which kind it holds.
 */
export type IdKind = "ids" | "globalIds" | "contentIds";

/** A record as the serializers of a registry write it. */
export interface FramedValue {
  readonly ref: SchemaRef;
  /** Bytes behind the schema id in a header: Confluent writes the message indexes of Protobuf there. */
  readonly head?: Uint8Array;
  /** The full name of a Protobuf message, which Apicurio writes into a header. */
  readonly messageName?: string;
  readonly body: Uint8Array;
}

const MAGIC = 0;
const GUID_MAGIC = 1;
const CONFLUENT_HEADER = "__value_schema_id";
const GLOBAL_ID_HEADER = "apicurio.value.globalId";
const CONTENT_ID_HEADER = "apicurio.value.contentId";
const ENCODING_HEADER = "apicurio.value.encoding";
const MESSAGE_HEADER = "apicurio.protobuf.type";

/** The headers of an input record that may name its schema. */
export const FORMAT_HEADERS: readonly string[] = [
  ...[CONFLUENT_HEADER, GLOBAL_ID_HEADER, CONTENT_ID_HEADER, ENCODING_HEADER, MESSAGE_HEADER],
];

/**
 * Reads the schema id of a record, from its headers or else from its first bytes. @returns undefined for a value that
 * names no schema, such as plain JSON. Source: Confluent, "Formats, Serializers, and Deserializers: Wire format".
 */
export function readFrame(value: Uint8Array, headers: RecordHeaders, kind: IdKind): Result<FramedValue | undefined> {
  const named = inHeaders(headers, kind);
  if (!named.ok) return named;
  if (named.value !== undefined) return ok({ ...named.value, body: value });
  if (value[0] !== MAGIC) return ok(undefined);
  if (value.byteLength < 5) return fail("ends within the schema id");
  const id = viewOf(value).getUint32(1);
  if (id !== 0) return ok({ ref: { by: kind, id: String(id) }, body: value.subarray(5) });
  // No registry has a schema 0, so these are the upper bytes of an id of 8 bytes, as Apicurio 2 writes it.
  if (kind === "ids") return fail("holds schema id 0: ids of 8 bytes need SCHEMA_REGISTRY_API=apicurio");
  if (value.byteLength < 9) return fail("ends within the schema id");
  return ok({ ref: { by: kind, id: String(viewOf(value).getBigUint64(1)) }, body: value.subarray(9) });
}

/** The text form of a schema's name, for a header and for messages. */
export function refText({ by, id }: SchemaRef): string {
  return `${by}/${id}`;
}

type InHeader = Omit<FramedValue, "body">;

function inHeaders(headers: RecordHeaders, kind: IdKind): Result<InHeader | undefined> {
  const kept = headers[SCHEMA_HEADER];
  if (typeof kept === "string") return keptRef(kept);
  if (kind === "ids") {
    const header = headers[CONFLUENT_HEADER];
    return header === undefined ? ok(undefined) : confluentRef(bytesOf(header));
  }
  const [globalId, contentId] = [headers[GLOBAL_ID_HEADER], headers[CONTENT_ID_HEADER]];
  const header = globalId ?? contentId;
  if (header === undefined) return ok(undefined);
  const bytes = bytesOf(header);
  if (bytes.byteLength !== 8) return fail(`has a schema id of ${bytes.byteLength} bytes in its header, and not of 8`);
  if (String(headers[ENCODING_HEADER] ?? "").toUpperCase() === "JSON")
    return fail(`holds Avro as JSON (${ENCODING_HEADER}), and only binary Avro is read`);
  const by = globalId === undefined ? "contentIds" : "globalIds";
  const name = headers[MESSAGE_HEADER];
  const ref: SchemaRef = { by, id: String(viewOf(bytes).getBigUint64(0)) };
  return ok(typeof name === "string" ? { ref, messageName: name } : { ref });
}

/** Source: Confluent's `SchemaId`: a magic byte, an id of 4 bytes or a GUID of 16, and message indexes. */
function confluentRef(bytes: Uint8Array): Result<InHeader> {
  if (bytes[0] === MAGIC && bytes.byteLength >= 5)
    return ok({ ref: { by: "ids", id: String(viewOf(bytes).getUint32(1)) }, head: bytes.subarray(5) });
  if (bytes[0] !== GUID_MAGIC || bytes.byteLength < 17)
    return fail(`has no schema id in its header ${CONFLUENT_HEADER}`);
  const hex = Buffer.from(bytes.subarray(1, 17)).toString("hex");
  const guid = hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
  return ok({ ref: { by: "guids", id: guid }, head: bytes.subarray(17) });
}

/** The header of a dead letter that was brought back. The message of Protobuf follows the schema. */
function keptRef(text: string): Result<InHeader> {
  const [, by, id = "", head, messageName] =
    /^(ids|guids|globalIds|contentIds)\/([0-9a-f-]{1,40})(?:;head=([0-9a-f]*))?(?:;message=(.+))?$/.exec(text) ?? [];
  if (by === undefined) return fail(`has no schema in its header ${SCHEMA_HEADER}`);
  return ok({
    ref: { by: by as SchemaRef["by"], id },
    ...(head === undefined ? {} : { head: Buffer.from(head, "hex") }),
    ...(messageName === undefined ? {} : { messageName }),
  });
}

/** The header value from which the schema of a record can be read again; undefined when its first bytes name it. */
export function keptSchema(value: Uint8Array, headers: RecordHeaders, kind: IdKind): string | undefined {
  const named = inHeaders(headers, kind);
  if (!named.ok || named.value === undefined || value.byteLength === 0) return undefined;
  const { ref, head, messageName } = named.value;
  const indexes = head === undefined ? "" : `;head=${Buffer.from(head).toString("hex")}`;
  const text = `${refText(ref)}${indexes}${messageName === undefined ? "" : `;message=${messageName}`}`;
  return text.length <= MAX_KEPT ? text : undefined;
}

/** Chosen: the longest name of a message that programs use has about 200 characters. */
const MAX_KEPT = 512;

function bytesOf(header: HeaderValue): Uint8Array {
  return typeof header === "string" ? Buffer.from(header) : header;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
