import { checkedUrl } from "../http/connection/checked-url.ts";

/** The URL of an S3 server other than Amazon's. @throws {ConfigInvalidError} which never holds the URL. */
export function s3Endpoint(text: string): string {
  return checkedUrl(text, {
    setting: "S3_ENDPOINT",
    credentials: "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
    whole: "give scheme, host and port, and the bucket in S3_BUCKET",
    http: { allowed: false, danger: "read and change what is archived", instead: "use https" },
  });
}
