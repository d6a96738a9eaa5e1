declare module "kafkajs/src/protocol/recordBatch/crc32C/crc32C.js" {
  function crc32C(bytes: Buffer): number;
  export = crc32C;
}

declare module "kafkajs/src/protocol/request.js" {
  import Encoder from "kafkajs/src/protocol/encoder.js";

  /** Adds the header and the size in front of a request. */
  function createRequest(made: {
    readonly correlationId: number;
    readonly clientId: string;
    readonly request: { readonly encode: () => Promise<Encoder> };
  }): Promise<Encoder>;
  export = createRequest;
}

declare module "kafkajs/src/consumer/batch.js" {
  import type { DecodedFetch, DecodedMessage } from "kafkajs/src/protocol/requests/fetch/v11/response.js";

  /** The part of a partition's fetch that a consumer reads. */
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

declare module "kafkajs/src/protocol/requests/index.js" {
  import type metadata from "kafkajs/src/protocol/requests/metadata/index.js";

  /** The choice of a request's version in a connection, as far as the test of metadata needs it. */
  const requests: {
    readonly requests: { readonly Metadata: typeof metadata };
    readonly lookup: (
      broker: Readonly<Record<number, { readonly minVersion: number; readonly maxVersion: number }>>,
    ) => (apiKey: number, asked: typeof metadata) => (params: metadata.MetadataParams) => metadata.Metadata;
  };
  export = requests;
}
