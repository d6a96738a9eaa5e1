import { lookup } from "node:dns";
import { DEFAULT_TIMING } from "../../adapters/s3/s3-client.ts";
import { s3Endpoint } from "../../adapters/s3/s3-endpoint.ts";
import { S3ObjectStore, type S3StoreOptions } from "../../adapters/s3/s3-object-store.ts";
import { systemClock } from "../../kernel/clock.ts";
import { ConfigInvalidError } from "../../kernel/errors.ts";
import type { Lifecycle } from "../../kernel/lifecycle.ts";
import type { S3Config } from "../config/config.ts";

/** The archive's bucket. It sends no request yet. @throws {ConfigInvalidError} */
export function openS3Store(config: S3Config, opened: Lifecycle): S3ObjectStore {
  const store = new S3ObjectStore(s3StoreOptions(config));
  opened.onClose("S3", () => store.close());
  return store;
}

/** @throws {ConfigInvalidError} naming the conflicting settings, and never printing a value. */
export function s3StoreOptions(config: S3Config): S3StoreOptions {
  const { S3_ENDPOINT: endpoint, S3_PREFIX: prefix, S3_KMS_KEY_ID: kmsKeyId } = config;
  const { S3_EXPECTED_BUCKET_OWNER: owner, S3_STORAGE_CLASS: storageClass } = config;
  const objectLock = objectLockOf(config);
  return {
    bucket: config.S3_BUCKET,
    prefix: prefix === undefined ? "" : `${prefix.replace(/\/$/, "")}/`,
    endpoint: endpoint === undefined ? undefined : s3Endpoint(endpoint),
    region: config.S3_REGION,
    forcePathStyle: config.S3_FORCE_PATH_STYLE,
    credentials: undefined,
    checksums: config.S3_CHECKSUMS,
    ...(kmsKeyId === undefined ? {} : { kmsKeyId }),
    ...(owner === undefined ? {} : { expectedBucketOwner: owner }),
    ...(storageClass === undefined ? {} : { storageClass }),
    ...(objectLock === undefined ? {} : { objectLock }),
    clock: systemClock,
    lookup,
    timing: DEFAULT_TIMING,
  };
}

function objectLockOf(config: S3Config): S3StoreOptions["objectLock"] {
  const { S3_OBJECT_LOCK_DAYS: days, S3_OBJECT_LOCK_MODE: mode } = config;
  if (days === undefined && mode === undefined) return undefined;
  if (days === undefined || mode === undefined)
    throw new ConfigInvalidError("bad settings: S3_OBJECT_LOCK_DAYS and S3_OBJECT_LOCK_MODE must be set together");
  return { mode, days };
}
