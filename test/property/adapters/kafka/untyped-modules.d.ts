declare module "kafkajs/src/producer/partitioners/default/murmur2.js" {
  function murmur2(key: Buffer): number;
  export = murmur2;
}
