import { promisify } from "node:util";
import zlib from "node:zlib";
import kafkajs from "kafkajs";
import { toError } from "../../../kernel/errors.ts";
import { BatchUnreadableError } from "../kafkajs-patches/batch-unreadable-error.ts";
import { unpackLz4 } from "./unpack-lz4.ts";
import { unpackSnappy } from "./unpack-snappy.ts";
import { unpackZstd } from "./unpack-zstd.ts";

const { CompressionCodecs, CompressionTypes } = kafkajs;

/** Limit of an unpacked batch. kafkajs's own codec has no limit: 204 kB of gzip filled 200 MiB. */
export const MAX_UNPACKED_BYTES = 16 * 1024 * 1024;

/** A codec in the form of kafkajs. An error of a codec ends the consumer, and is logged (`BatchUnreadableError`). */
interface Codec {
  compress(encoder: { readonly buffer: Buffer }): Promise<Buffer>;
  decompress(compressed: Buffer): Promise<Buffer>;
}

const limit = { maxOutputLength: MAX_UNPACKED_BYTES };
const gzip = promisify(zlib.gzip);
const gunzip = promisify<Buffer, zlib.ZlibOptions, Buffer>(zlib.gunzip);
const zstdCompress = promisify<Buffer, Buffer>(zlib.zstdCompress);

/** Every codec that a producer may use, each with a limit. Weir writes only gzip and zstd. */
export const codecs = {
  gzip: {
    compress: ({ buffer }) => gzip(buffer),
    decompress: (compressed) => unpacked("gzip", () => gunzip(compressed, limit)),
  },
  snappy: {
    compress: () => refusal("snappy"),
    decompress: (compressed) => unpacked("snappy", () => unpackSnappy(compressed, MAX_UNPACKED_BYTES)),
  },
  lz4: {
    compress: () => refusal("lz4"),
    decompress: (compressed) => unpacked("lz4", () => unpackLz4(compressed, MAX_UNPACKED_BYTES)),
  },
  zstd: {
    compress: ({ buffer }) => zstdCompress(buffer),
    decompress: (compressed) => unpacked("zstd", () => unpackZstd(compressed, MAX_UNPACKED_BYTES)),
  },
} as const satisfies Readonly<Record<string, Codec>>;

/** Codecs by their number in a batch's attributes. Source: Kafka's documentation, "Record Batch". */
const byNumber = [undefined, codecs.gzip, codecs.snappy, codecs.lz4, codecs.zstd] as const;

/** The unpacked records of a batch. @throws {BatchUnreadableError} where they cannot be unpacked. */
export function unpack(codec: number, payload: Buffer): Buffer | Promise<Buffer> {
  if (codec === 0) return payload;
  const known = byNumber[codec];
  if (known === undefined)
    throw new BatchUnreadableError(`a batch is packed by codec ${codec}, which Kafka does not know`);
  return known.decompress(payload);
}

/** Replaces kafkajs's own codecs, for the whole process. It must run before the first fetch. */
export function registerCodecs(): void {
  CompressionCodecs[CompressionTypes.GZIP] = () => codecs.gzip;
  CompressionCodecs[CompressionTypes.Snappy] = () => codecs.snappy;
  CompressionCodecs[CompressionTypes.LZ4] = () => codecs.lz4;
  CompressionCodecs[CompressionTypes.ZSTD] = () => codecs.zstd;
}

async function unpacked(name: string, unpack: () => Buffer | Promise<Buffer>): Promise<Buffer> {
  try {
    return await unpack();
  } catch (thrown) {
    throw new BatchUnreadableError(`a ${name} batch ${reasonOf(thrown)}`, {}, { cause: thrown });
  }
}

function reasonOf(thrown: unknown): string {
  const error = toError(thrown);
  if (error instanceof BatchUnreadableError) return error.message;
  const code: unknown = Reflect.get(error, "code");
  if (code === "ERR_BUFFER_TOO_LARGE") return `unpacks to more than ${MAX_UNPACKED_BYTES} bytes`;
  return `does not unpack: ${error.message}`;
}

/** A bug in Weir: no setting selects these codecs for writing. */
async function refusal(name: string): Promise<never> {
  throw new Error(`batches are not written in ${name}: use gzip or zstd`);
}
