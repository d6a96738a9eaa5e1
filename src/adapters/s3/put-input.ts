import type { ObjectLockMode, PutObjectCommandInput, StorageClass } from "@aws-sdk/client-s3";
import type { ArchiveObject, ObjectMetadata } from "../../archive/object.ts";
import type { Clock } from "../../kernel/clock.ts";
import { sha256Aside } from "../../kernel/hash.ts";
import { packLines } from "../gzip/packed-lines.ts";
import { toUserMetadata } from "./object-metadata.ts";
import type { S3ClientOptions } from "./s3-client.ts";

/** The storage options of objects. */
export interface PutOptions {
  readonly kmsKeyId?: string;
  /** An object cannot be removed before this age; with COMPLIANCE not even by the owner. */
  readonly objectLock?: { readonly mode: ObjectLockMode; readonly days: number };
  readonly storageClass?: StorageClass;
  readonly clock: Pick<Clock, "now">;
}

/** The packed bytes of an object with their hash. */
export interface PutBody {
  readonly bytes: Buffer;
  /** SHA-256 of these bytes, hex. */
  readonly sha256: string;
}

const DAY_MS = 86_400_000;

export async function pack({ lines }: Pick<ArchiveObject, "lines">): Promise<PutBody> {
  const bytes = await packLines(lines);
  return { bytes, sha256: await sha256Aside(bytes) };
}

type KeptBy = PutOptions & Pick<S3ClientOptions, "checksums">;
type PutInput = Omit<PutObjectCommandInput, "Bucket" | "Key">;

/** All fields of a put except the bucket and the key. */
export function putInput(packed: PutBody, metadata: ObjectMetadata, options: KeptBy): PutInput {
  return {
    ...keptInput(packed, options),
    // With ContentEncoding gzip, many clients would unpack silently. They would keep a file with a name in .gz that is
    // not gzip. It would also lack the length and checksum that S3 reports.
    ContentType: "application/gzip",
    Metadata: toUserMetadata(metadata),
  };
}

/** The storage fields of any object, which also forbid to overwrite one. */
export function keptInput(
  { bytes, sha256 }: PutBody,
  { kmsKeyId, objectLock, storageClass, checksums, clock }: KeptBy,
): PutInput {
  return {
    // S3 accepts no lock without a checksum.
    ...(checksums === "always" || objectLock !== undefined
      ? { ChecksumAlgorithm: "SHA256", ChecksumSHA256: Buffer.from(sha256, "hex").toString("base64") }
      : {}),
    ...(kmsKeyId === undefined ? {} : { ServerSideEncryption: "aws:kms", SSEKMSKeyId: kmsKeyId }),
    ...(storageClass === undefined ? {} : { StorageClass: storageClass }),
    ...(objectLock === undefined
      ? {}
      : {
          ObjectLockMode: objectLock.mode,
          ObjectLockRetainUntilDate: new Date(clock.now() + objectLock.days * DAY_MS),
        }),
    IfNoneMatch: "*",
    Body: bytes,
  };
}
