import { isDeepStrictEqual } from "node:util";
import type { ListObjectVersionsCommandInput, ListObjectVersionsCommandOutput } from "@aws-sdk/client-s3";
import type { ListedVersion } from "../../archive/object-store.ts";
import { NOT_S3, type StoreRequest, unavailable } from "./store-failure.ts";

/** The start of a page. */
export type VersionsFrom = Pick<ListObjectVersionsCommandInput, "KeyMarker" | "VersionIdMarker">;

export interface VersionsRequest {
  readonly ask: (from: VersionsFrom) => Promise<ListObjectVersionsCommandOutput>;
  /** The prefix of every key, which is removed from listed keys. */
  readonly root: string;
  readonly asked: StoreRequest;
}

/** Lists every version that was ever put or deleted, page by page. @throws {StoreUnavailableError} */
export async function* listVersions({ ask, root, asked }: VersionsRequest): AsyncGenerator<ListedVersion> {
  const listed =
    (isDeletion: boolean) =>
    ({ Key = "" }) => ({ key: Key.slice(root.length), isDeletion });
  let from: VersionsFrom | undefined = {};
  while (from !== undefined) {
    const page: ListObjectVersionsCommandOutput = await ask(from);
    if (page.IsTruncated === undefined) throw unavailable(asked, NOT_S3);
    yield* (page.Versions ?? []).map(listed(false));
    yield* (page.DeleteMarkers ?? []).map(listed(true));
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    // A server that repeats its pages would never end.
    if (page.IsTruncated && (KeyMarker === undefined || isDeepStrictEqual({ KeyMarker, VersionIdMarker }, from)))
      throw unavailable(asked, "the server has more, and does not say where");
    from = page.IsTruncated ? { KeyMarker, VersionIdMarker } : undefined;
  }
}
