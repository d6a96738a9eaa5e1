/** A separate process, so that its memory peak is that of one bomb: `node unpack-bomb.ts CODEC BOMB`. */
import { codecs } from "../../src/adapters/kafka/wire/codecs.ts";
import { bombs } from "./compressed-bombs.ts";

const [codec, bomb] = process.argv.slice(2) as [keyof typeof codecs, keyof typeof bombs];
const compressed = await bombs[bomb](200);
const small = await bombs[bomb](1);
// The memory of a codec for any batch does not count as growth.
await codecs[codec].decompress(small).catch(() => undefined);
const before = process.resourceUsage().maxRSS;
const refused = await codecs[codec].decompress(compressed).then(
  () => "nothing",
  (error: Error) => error.message,
);
const grownMiB = (process.resourceUsage().maxRSS - before) / 1024;
process.stdout.write(JSON.stringify({ refused, grownMiB, compressedBytes: compressed.length }));
