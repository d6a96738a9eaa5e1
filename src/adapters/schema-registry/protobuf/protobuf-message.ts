import protobuf from "protobufjs";
import { UndecodableError } from "../json-text.ts";
import type { FramedValue } from "../wire-format.ts";

/** The full name of a message, and its bytes. */
interface NamedMessage {
  readonly name: string;
  readonly body: Uint8Array;
}

/** Chosen: programs nest messages a few levels deep. */
const MAX_INDEXES = 16;

/**
 * Finds the message that a record holds. Confluent writes the number of the message among those of its file. Apicurio
 * writes its name. @param scope the package of the schema's own file. @throws {UndecodableError}
 */
export function messageOf({ ref, head, body, messageName }: FramedValue, scope: protobuf.NamespaceBase): NamedMessage {
  if (ref.by === "globalIds" || ref.by === "contentIds") {
    if (messageName !== undefined) return { name: byName(messageName, scope), body };
    const named = readReference(body);
    return { name: byName(named.name, scope), body: named.body };
  }
  if (head !== undefined) return { name: byIndexes(readIndexes(head).indexes, scope), body };
  const { indexes, end } = readIndexes(body);
  return { name: byIndexes(indexes, scope), body: body.subarray(end) };
}

/** Source: Confluent, "Formats, Serializers, and Deserializers: Wire format": a count and numbers as zigzag varints. */
function readIndexes(bytes: Uint8Array): { readonly indexes: readonly number[]; readonly end: number } {
  return reading(() => {
    const reader = protobuf.Reader.create(bytes);
    const count = reader.sint32();
    // The first message of a file is written as a single zero.
    if (count === 0) return { indexes: [0], end: reader.pos };
    if (count < 0 || count > MAX_INDEXES) throw new UndecodableError(`names a message by ${count} numbers`);
    const indexes = Array.from({ length: count }, () => reader.sint32());
    return { indexes, end: reader.pos };
  });
}

/** Source: Apicurio's `Ref`: a message of its own in front, with the name of the message in its first field. */
function readReference(bytes: Uint8Array): NamedMessage {
  return reading(() => {
    const reader = protobuf.Reader.create(bytes);
    const end = reader.uint32() + reader.pos;
    if (end > bytes.byteLength || reader.uint32() !== NAME_TAG) throw new UndecodableError("names no message");
    const name = reader.string();
    if (reader.pos !== end) throw new UndecodableError("names no message");
    return { name, body: bytes.subarray(end) };
  });
}

/** Field 1, with a length. */
const NAME_TAG = 10;

function reading<T>(read: () => T): T {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof UndecodableError) throw thrown;
    throw new UndecodableError("ends before it names its message");
  }
}

function byIndexes(indexes: readonly number[], scope: protobuf.NamespaceBase): string {
  let at = scope;
  for (const index of indexes) {
    // Some clients count the hidden message of each map field, and others do not.
    if (at instanceof protobuf.Type && at.fieldsArray.some((field) => field.map))
      throw new UndecodableError(`names a message within ${at.name}, whose map fields clients count differently`);
    const type = at.nestedArray.filter((each) => each instanceof protobuf.Type)[index];
    if (type === undefined) throw new UndecodableError(`names message ${indexes.join(".")}, which the schema lacks`);
    at = type;
  }
  return at.fullName;
}

function byName(name: string, scope: protobuf.NamespaceBase): string {
  const found = scope.lookup(name, protobuf.Type);
  if (found === null || !found.fullName.startsWith(scope.fullName))
    throw new UndecodableError("names a message that the schema lacks");
  return found.fullName;
}
