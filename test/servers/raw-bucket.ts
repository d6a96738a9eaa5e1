import { Buffer } from "node:buffer";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { onTestFinished } from "vitest";
import type { S3Access } from "./s3-server.ts";

/** An object as S3 stores it: packed, with its user metadata. */
export interface RawObject {
  readonly bytes: Buffer;
  readonly metadata: Readonly<Record<string, string>>;
}

/** The bucket with all permissions, without any code of Weir in between. */
export interface RawBucket {
  /** All keys, ascending; S3 lists at most 1,000 at once. */
  keys(): Promise<readonly string[]>;
  get(key: string): Promise<RawObject>;
  /** Writes an object, also over an existing one. */
  put(key: string, object: RawObject): Promise<void>;
  remove(key: string): Promise<void>;
}

export function rawBucket({ endpoint, region, credentials, bucket }: S3Access): RawBucket {
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  onTestFinished(() => client.destroy());
  const at = (key: string) => ({ Bucket: bucket, Key: key });
  return {
    async keys() {
      const { Contents = [], IsTruncated } = await client.send(new ListObjectsV2Command({ Bucket: bucket }));
      if (IsTruncated === true) throw new Error("there are more than one page lists");
      return Contents.map(({ Key = "" }) => Key).sort();
    },
    async get(key) {
      const { Body, Metadata = {} } = await client.send(new GetObjectCommand(at(key)));
      if (Body === undefined) throw new Error(`${key} has no body`);
      return { bytes: Buffer.from(await Body.transformToByteArray()), metadata: Metadata };
    },
    async put(key, { bytes, metadata }) {
      await client.send(new PutObjectCommand({ ...at(key), Body: bytes, Metadata: { ...metadata } }));
    },
    async remove(key) {
      await client.send(new DeleteObjectCommand(at(key)));
    },
  };
}
