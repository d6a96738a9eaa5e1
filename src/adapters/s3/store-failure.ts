import { StoreUnavailableError } from "../../archive/object-store.ts";
import { AppError, toError } from "../../kernel/errors.ts";

export const NOT_S3 =
  "the answer is none of S3's: see whether S3_ENDPOINT names an S3 server, and whether a proxy answers for it";

/** The operation on the store, by the name that S3's permissions use. */
export type StoreOperation = "PutObject" | "HeadObject" | "GetObject" | "ListObjectsV2" | "ListObjectVersions";

export interface StoreRequest {
  readonly operation: StoreOperation;
  readonly bucket: string;
  /** A key, or a prefix of keys. */
  readonly key: string;
  readonly region: string | undefined;
  readonly kmsKeyId: string | undefined;
  readonly expectedBucketOwner: string | undefined;
  /** Whether objects are locked (S3_OBJECT_LOCK_DAYS). */
  readonly isLocking: boolean;
  /** Whether checksums are sent that the operation does not require (S3_CHECKSUMS=always). */
  readonly sendsChecksums: boolean;
}

/**
 * The facts about a failure without its texts: a server's message may repeat the request, including a session token.
 */
export interface StoreFailure {
  /** S3's code, else the code of Node or the SDK. */
  readonly name: string;
  /** Undefined when there was no answer. */
  readonly status: number | undefined;
  readonly attempts: number | undefined;
  readonly requestId: string | undefined;
}

export function failureOf(thrown: unknown): StoreFailure {
  const { httpStatusCode: status, attempts, requestId } = Object(Reflect.get(Object(thrown), "$metadata"));
  const error = toError(thrown) as NodeJS.ErrnoException;
  const name = [status === undefined ? error.code : undefined, error.name].find(isName) ?? "";
  return {
    name: error.message === "Region is missing" ? "RegionMissing" : name,
    status: typeof status === "number" ? status : undefined,
    attempts: typeof attempts === "number" ? attempts : undefined,
    requestId: typeof requestId === "string" && /^[\w-]{1,64}$/.test(requestId) ? requestId : undefined,
  };
}

/**
 * The error of `thrown` for the caller: the remedy, and nothing of the request. `thrown` is not its cause, for the same
 * reason.
 *
 * @throws any bug, of Weir or of the SDK: a retry would hide it.
 */
export function storeFailure(thrown: unknown, asked: StoreRequest): StoreUnavailableError {
  const failure = failureOf(thrown);
  if (failure.status === undefined && bugs.some((bug) => thrown instanceof bug)) throw thrown;
  // A refused address has a complete message.
  const why = thrown instanceof AppError ? thrown.message : whyNot(failure, asked);
  return unavailable(asked, why, failure);
}

const bugs = [TypeError, RangeError, ReferenceError] as const;

export function unavailable(
  asked: StoreRequest,
  why: string,
  failure: Partial<StoreFailure> = {},
): StoreUnavailableError {
  const { operation, bucket, key } = asked;
  const what = doing[operation];
  return new StoreUnavailableError(`cannot ${what} ${key} in the S3 bucket ${bucket}: ${why}`, {
    operation,
    bucket,
    ...failure,
  });
}

const doing: Readonly<Record<StoreOperation, string>> = {
  PutObject: "put",
  HeadObject: "look at",
  GetObject: "read",
  ListObjectsV2: "list",
  ListObjectVersions: "list the versions of",
};

function whyNot(failure: StoreFailure, asked: StoreRequest): string {
  const { name, status } = failure;
  const advice = Object.hasOwn(answers, name) ? answers[name]?.(asked) : undefined;
  const said = [status, name].filter((part) => part !== undefined && part !== "").join(" ");
  if (advice !== undefined) return `${advice} (${said})`;
  if (name.startsWith("KMS.")) return `${kms(asked)} (${said})`;
  if (status === undefined)
    return `no answer (${name}): see whether the server of S3_ENDPOINT or S3_REGION can be reached`;
  if (status === 301 || status === 307) return `${elsewhere(asked)} (${said})`;
  if (status === 401 || status === 403) return `${denied(asked)}; or the credentials are wrong (${said})`;
  if (status >= 500) return `the server failed (${said})`;
  if (status < 300) return `the answer is none of S3's (${said}): see whether S3_ENDPOINT names an S3 server`;
  return `the server refused (${said}): see what it supports, and whether S3_ENDPOINT names an S3 server`;
}

const session = () => "the session has ended or is none: give newer credentials";
const elsewhere = ({ region }: StoreRequest) =>
  `the bucket is in another region${region === undefined ? "" : ` than ${region}`}: correct S3_REGION`;
const kms = ({ kmsKeyId }: StoreRequest) =>
  kmsKeyId === undefined
    ? "the bucket's KMS key cannot be used: enable it, and let the role use it"
    : "the KMS key cannot be used: correct S3_KMS_KEY_ID, or enable the key and let the role use it";

/** S3's errors by name, each with its remedy. */
const answers: Readonly<Record<string, (asked: StoreRequest) => string>> = {
  NoSuchBucket: () => "there is no such bucket: create it, or correct S3_BUCKET, S3_REGION or S3_ENDPOINT",
  AccessDenied: denied,
  AllAccessDisabled: denied,
  InvalidAccessKeyId: () =>
    "nobody knows the access key: correct AWS_ACCESS_KEY_ID, or the profile or role that gives it",
  SignatureDoesNotMatch: () =>
    "the signature does not match: correct AWS_SECRET_ACCESS_KEY, and see that no proxy changes headers",
  ExpiredToken: session,
  InvalidToken: session,
  TokenRefreshRequired: session,
  RequestTimeTooSkewed: () => "the clocks differ by more than S3 takes: set this machine's clock",
  PermanentRedirect: elsewhere,
  TemporaryRedirect: elsewhere,
  AuthorizationHeaderMalformed: elsewhere,
  IllegalLocationConstraintException: elsewhere,
  InvalidRequest: invalid,
  // Other stores answer this to checksums, or to headers of checksums, that they do not know.
  InvalidArgument: invalid,
  InvalidDigest: invalid,
  BadDigest: invalid,
  MalformedTrailerError: invalid,
  XAmzContentSHA256Mismatch: invalid,
  InvalidObjectState: () => "the object is in an archive class of storage: restore it first",
  NotImplemented: () =>
    "the server lacks something that was asked of it: it must know If-None-Match, and what S3_OBJECT_LOCK_DAYS, S3_KMS_KEY_ID, S3_EXPECTED_BUCKET_OWNER and S3_CHECKSUMS ask for",
  SlowDown: () => "it is asked too much: it goes on by itself, more slowly",
  CredentialsProviderError: () =>
    "there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or run under a profile or role",
  RegionMissing: () => "there is no region: set S3_REGION",
};

/** A 400 about the request itself. The store's text names the part of the request, but the text is not repeated. */
function invalid({ isLocking, sendsChecksums }: StoreRequest): string {
  const hints = [
    ...(isLocking ? ["Object Lock (S3_OBJECT_LOCK_DAYS) needs a bucket that was made with it"] : []),
    ...(sendsChecksums ? ["an older server may refuse checksums: set S3_CHECKSUMS=when-required"] : []),
  ];
  const what = hints.length === 0 ? "see what the server supports" : hints.join("; or ");
  return `the server takes the request for invalid: ${what}`;
}

const permissions: Readonly<Record<StoreOperation, string>> = {
  PutObject: "s3:PutObject, and s3:PutObjectRetention with S3_OBJECT_LOCK_DAYS",
  // Without the second permission, S3 answers 403 for a missing object.
  HeadObject: "s3:GetObject and s3:ListBucket",
  GetObject: "s3:GetObject and s3:ListBucket",
  ListObjectsV2: "s3:ListBucket",
  ListObjectVersions: "s3:ListBucketVersions",
};

function denied({ operation, kmsKeyId, expectedBucketOwner }: StoreRequest): string {
  const key = kmsKeyId === undefined ? "" : ", and kms:GenerateDataKey and kms:Decrypt on the key of S3_KMS_KEY_ID";
  const owner = expectedBucketOwner === undefined ? "" : "; or the bucket is not S3_EXPECTED_BUCKET_OWNER's";
  return `access is denied: the role needs ${permissions[operation]}${key}${owner}`;
}

function isName(text: unknown): text is string {
  return typeof text === "string" && /^[\w.]{1,64}$/.test(text) && text !== "Error" && text !== "UnknownError";
}
