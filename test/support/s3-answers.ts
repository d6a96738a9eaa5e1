import type { ServerResponse } from "node:http";
import type { S3StoreOptions } from "../../src/adapters/s3/s3-object-store.ts";
import { answering, listen, type Received } from "./http-server.ts";
import { hurried, storeOn } from "./s3-store.ts";

export const secrets = {
  accessKeyId: "AKIAUNIT",
  secretAccessKey: "MARKER-secret-MARKER",
  sessionToken: "MARKER-session-MARKER",
};

/** A store on a server of this test, with configured answers; `received` collects the requests. */
export async function storeBefore(
  answer: (request: Received, response: ServerResponse) => void,
  options: Partial<S3StoreOptions> = {},
) {
  const received: Received[] = [];
  const endpoint = await listen(answering(answer, received));
  const access = { endpoint, region: "eu-central-1", bucket: "weir-unit", credentials: secrets };
  return { store: storeOn(access, { prefix: "", timing: hurried, ...options }), received };
}

/** Answers as S3 does to a put and the read after it. */
export function takingPuts(): (request: Received, response: ServerResponse) => void {
  let shown: Record<string, string> = {};
  return ({ method, headers }, response) => {
    if (method === "PUT") {
      const metadata = Object.entries(headers).filter(([name]) => name.startsWith("x-amz-meta-"));
      shown = Object.fromEntries(
        [...metadata, ["content-length", headers["content-length"]]].map(([k, v]) => [String(k), String(v)]),
      );
    }
    response.writeHead(200, { etag: '"1"', ...(method === "HEAD" ? shown : {}) }).end();
  };
}

/** An error in S3's format. Like some errors, it repeats the request. */
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
