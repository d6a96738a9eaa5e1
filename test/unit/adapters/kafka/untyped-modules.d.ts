declare module "kafkajs/src/protocol/recordBatch/crc32C/crc32C.js" {
  function crc32C(bytes: Buffer): number;
  export = crc32C;
}

declare module "kafkajs/src/protocol/request.js" {
  import Encoder from "kafkajs/src/protocol/encoder.js";

  /** Puts its header and its size before a request. */
  function createRequest(made: {
    readonly correlationId: number;
    readonly clientId: string;
    readonly request: { readonly encode: () => Promise<Encoder> };
  }): Promise<Encoder>;
  export = createRequest;
}

declare module "kafkajs/src/consumer/batch.js" {
  import type { DecodedFetch, DecodedMessage } from "kafkajs/src/protocol/requests/fetch/v11/response.js";

  /** What a consumer reads of a partition's fetch. */
  class Batch {
    constructor(
      topic: string,
      fetchedOffset: string,
      partition: DecodedFetch["responses"][number]["partitions"][number],
    );
    readonly messages: readonly DecodedMessage[];
    isEmptyDueToFiltering(): boolean;
    lastOffset(): string;
  }
  export = Batch;
}
