import type { ListObjectsV2CommandInput, ListObjectsV2CommandOutput } from "@aws-sdk/client-s3";
import type { ListedObject } from "../../archive/object-store.ts";
import { NOT_S3, type StoreRequest, unavailable } from "./store-failure.ts";

/** The start of a page. */
export type ObjectsFrom = Pick<ListObjectsV2CommandInput, "ContinuationToken">;

export interface ObjectsRequest {
  readonly ask: (from: ObjectsFrom) => Promise<ListObjectsV2CommandOutput>;
  /** The prefix of every key, which is removed from listed keys. */
  readonly root: string;
  readonly asked: StoreRequest;
}

/** Lists the objects page by page, in the order of their keys. @throws {StoreUnavailableError} */
export async function* listObjects({ ask, root, asked }: ObjectsRequest): AsyncGenerator<ListedObject> {
  let last = "";
  let token: string | undefined;
  do {
    const page = await ask(token === undefined ? {} : { ContinuationToken: token });
    // S3 always reports whether there is more. The page of a server in between would pass for an empty bucket.
    if (page.IsTruncated === undefined) throw unavailable(asked, NOT_S3);
    for (const { Key: key = "", Size: bytes = 0 } of page.Contents ?? []) {
      // An audit would otherwise take a partial list for the whole, and a server that repeats its pages would never
      // end.
      if (Buffer.compare(Buffer.from(key), Buffer.from(last)) <= 0)
        throw unavailable(asked, "the server does not list keys in their order");
      last = key;
      yield { key: key.slice(root.length), bytes };
    }
    token = page.IsTruncated === true ? page.NextContinuationToken : undefined;
    if (page.IsTruncated === true && token === undefined)
      throw unavailable(asked, "the server has more, and does not say where");
  } while (token !== undefined);
}
