declare module "kafkajs/src/protocol/recordBatch/crc32C/crc32C.js" {
  function crc32C(bytes: Buffer): number;
  export = crc32C;
}
