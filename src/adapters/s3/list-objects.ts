import type { ListObjectsV2CommandInput, ListObjectsV2CommandOutput } from "@aws-sdk/client-s3";
import type { ListedObject } from "../../archive/object-store.ts";
import { NOT_S3, type StoreRequest, unavailable } from "./store-failure.ts";

/** Where a page begins. */
export type ObjectsFrom = Pick<ListObjectsV2CommandInput, "ContinuationToken">;

export interface ObjectsRequest {
  readonly ask: (from: ObjectsFrom) => Promise<ListObjectsV2CommandOutput>;
  /** What every key begins with, and is not told. */
  readonly root: string;
  readonly asked: StoreRequest;
}

/** Page by page what stands there, in the order of its keys. @throws {StoreUnavailableError} */
export async function* listObjects({ ask, root, asked }: ObjectsRequest): AsyncGenerator<ListedObject> {
  let last = "";
  let token: string | undefined;
  do {
    const page = await ask(token === undefined ? {} : { ContinuationToken: token });
    // S3 always says whether there is more. A page of somebody in between would pass for an empty bucket.
    if (page.IsTruncated === undefined) throw unavailable(asked, NOT_S3);
    for (const { Key: key = "", Size: bytes = 0 } of page.Contents ?? []) {
      // Otherwise an audit would call whole what it was shown a part of, and a server that repeats itself never ends.
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
