const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/** Kafka's murmur2 of a key, a signed 32-bit number. Source: org.apache.kafka.common.utils.Utils.murmur2. */
export function murmur2(key: Uint8Array): number {
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength);
  const wholeWords = key.length & ~3;
  let hash = SEED ^ key.length;
  for (let at = 0; at < wholeWords; at += 4) {
    let word = Math.imul(view.getInt32(at, true), M);
    word = Math.imul(word ^ (word >>> 24), M);
    hash = Math.imul(hash, M) ^ word;
  }
  if (wholeWords < key.length) {
    let rest = 0;
    for (let at = key.length - 1; at >= wholeWords; at--) rest = (rest << 8) | view.getUint8(at);
    hash = Math.imul(hash ^ rest, M);
  }
  hash = Math.imul(hash ^ (hash >>> 13), M);
  return hash ^ (hash >>> 15);
}
