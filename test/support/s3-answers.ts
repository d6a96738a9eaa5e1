import type { ServerResponse } from "node:http";
import type { S3StoreOptions } from "../../src/adapters/s3/s3-object-store.ts";
import { answering, listen, type Received } from "./http-server.ts";
import { hurried, storeOn } from "./s3-store.ts";

export const secrets = {
  accessKeyId: "AKIAUNIT",
  secretAccessKey: "MARKER-secret-MARKER",
  sessionToken: "MARKER-session-MARKER",
};

/** A store on a server of the test's own, which answers as told; `received` keeps what it was asked. */
export async function storeBefore(
  answer: (request: Received, response: ServerResponse) => void,
  options: Partial<S3StoreOptions> = {},
) {
  const received: Received[] = [];
  const endpoint = await listen(answering(answer, received));
  const access = { endpoint, region: "eu-central-1", bucket: "weir-unit", credentials: secrets };
  return { store: storeOn(access, { prefix: "", timing: hurried, ...options }), received };
}

/** An error as S3 writes it. Like some, it repeats what it was sent. */
export function sendError(response: ServerResponse, status: number, code: string, request?: Received): void {
  const sent = JSON.stringify(request?.headers ?? {}).replaceAll("<", "");
  const body = `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${sent}</Message><CanonicalRequest>${sent}</CanonicalRequest></Error>`;
  response.writeHead(status, { "content-type": "application/xml", "x-amz-request-id": "REQUEST1" }).end(body);
}

/** A page of a listing. */
export function sendPage(
  response: ServerResponse,
  keys: readonly string[],
  next?: string,
  truncated = next !== undefined,
) {
  const contents = keys.map((key) => `<Contents><Key>${key}</Key><Size>3</Size></Contents>`).join("");
  const token = next === undefined ? "" : `<NextContinuationToken>${next}</NextContinuationToken>`;
  response.writeHead(200, { "content-type": "application/xml" });
  response.end(
    `<?xml version="1.0"?><ListBucketResult><IsTruncated>${truncated}</IsTruncated>${token}${contents}</ListBucketResult>`,
  );
}
