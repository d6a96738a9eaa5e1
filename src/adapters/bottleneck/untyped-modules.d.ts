/*
 * The limiter by itself, typed by the whole of bottleneck, which loads its clients of Redis with it, from 18 files. Both are
 * made from the same sources.
 */

declare module "bottleneck/light.js" {
  import Bottleneck from "bottleneck";
  export = Bottleneck;
}
