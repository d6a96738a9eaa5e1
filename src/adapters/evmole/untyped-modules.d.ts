/** The package.json of evmole exports no types to ES modules. These are the types of the functions in use. */
declare module "evmole" {
  export function contractInfo(
    code: string,
    wanted: { readonly selectors: boolean; readonly arguments: boolean },
  ): { readonly functions?: readonly { readonly selector: string; readonly arguments?: string }[] };
}
