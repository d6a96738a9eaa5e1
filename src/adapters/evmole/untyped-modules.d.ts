/** Its package.json exports no types to modules: this is the part in use. */
declare module "evmole" {
  export function contractInfo(
    code: string,
    wanted: { readonly selectors: boolean; readonly arguments: boolean },
  ): { readonly functions?: readonly { readonly selector: string; readonly arguments?: string }[] };
}
