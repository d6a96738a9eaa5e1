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
