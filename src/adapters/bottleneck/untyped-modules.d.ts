/*
 * The limiter by itself, with the types of the whole package. The whole package also loads its Redis clients, from 18
 * files. Both builds come from the same sources.
 */

declare module "bottleneck/light.js" {
  import Bottleneck from "bottleneck";
  export = Bottleneck;
}
