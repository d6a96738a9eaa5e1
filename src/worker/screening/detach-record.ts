import type { InputRecord } from "../ports.ts";

const NONE = new Uint8Array();

/**
 * A copy of a record of a file that holds all that is needed of it, and nothing else: what it makes when it is asked would
 * not be copied otherwise, and its bytes may be a view of all that was read with it, which must not be kept for hours. Those
 * of what could be read are not needed any more, and a file has let them go.
 */
export function wholeRecord(record: InputRecord): InputRecord & { readonly sizeBytes: number } {
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

/** Not by its own `slice`, which of a Buffer is another view, nor out of a pool that others hold, too. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  const own = Buffer.allocUnsafeSlow(bytes.byteLength);
  own.set(bytes);
  return own;
}
