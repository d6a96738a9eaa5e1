declare module "kafkajs/src/producer/partitioners/default/murmur2.js" {
  function murmur2(key: Buffer): number;
  export = murmur2;
}

declare module "lz4js" {
  export function compress(bytes: Uint8Array): Uint8Array;
}

declare module "snappyjs" {
  export function compress(bytes: Buffer): Buffer;
}
