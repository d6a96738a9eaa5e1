import type { InputRecord } from "../ports.ts";

const NONE = new Uint8Array();

/**
 * A copy of a file's record with everything that is needed later, and nothing else. Members that are computed on access
 * would not be copied otherwise. The bytes may be a view of a whole chunk of the file. The chunk must not stay in
 * memory for hours. The bytes of a parsed record are not needed any more, and a file has released them.
 */
export function detachRecord(record: InputRecord): InputRecord & { readonly sizeBytes: number } {
  const { source, defaultId, event, revision, verdictId, sizeBytes = record.bytes.byteLength } = record;
  const { lane, timestamp, headers, ticket, isOurs, isCrowded } = record;
  return {
    source,
    defaultId,
    bytes: event.ok ? NONE : ownBytes(record.bytes),
    sizeBytes,
    event,
    revision,
    ...(verdictId === undefined ? {} : { verdictId }),
    ...(lane === undefined ? {} : { lane }),
    ...(timestamp === undefined ? {} : { timestamp }),
    ...(headers === undefined ? {} : { headers }),
    ...(ticket === undefined ? {} : { ticket }),
    ...(isOurs === undefined ? {} : { isOurs }),
    ...(isCrowded === undefined ? {} : { isCrowded }),
  };
}

/** Not with `slice`, which on a Buffer returns a view, and not from the pool that Buffers share. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  const own = Buffer.allocUnsafeSlow(bytes.byteLength);
  own.set(bytes);
  return own;
}
