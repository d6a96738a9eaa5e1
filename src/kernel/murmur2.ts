const SEED = 0x9747b28c;
const M = 0x5bd1e995;

/**
 * Kafka's murmur2 of the first `length` bytes of a key, a signed 32-bit number.
 * Source: org.apache.kafka.common.utils.Utils.murmur2.
 */
export function murmur2(key: Uint8Array, length = key.length): number {
  const wholeWords = length & ~3;
  let hash = SEED ^ length;
  for (let at = 0; at < wholeWords; at += 4) {
    let word = Math.imul(
      byte(key, at) | (byte(key, at + 1) << 8) | (byte(key, at + 2) << 16) | (byte(key, at + 3) << 24),
      M,
    );
    word = Math.imul(word ^ (word >>> 24), M);
    hash = Math.imul(hash, M) ^ word;
  }
  if (wholeWords < length) {
    let rest = 0;
    for (let at = length - 1; at >= wholeWords; at--) rest = (rest << 8) | byte(key, at);
    hash = Math.imul(hash ^ rest, M);
  }
  hash = Math.imul(hash ^ (hash >>> 13), M);
  return hash ^ (hash >>> 15);
}

function byte(key: Uint8Array, at: number): number {
  return key[at] as number;
}
