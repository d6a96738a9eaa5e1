import { contractInfo } from "evmole";
import type { FunctionSignature } from "../../evm-analysis/contract.ts";

/** The functions that evmole finds in runtime code, given as hex without 0x. Equal bytes give equal answers. */
export function readSignatures(codeHex: string): readonly FunctionSignature[] {
  const { functions = [] } = contractInfo(codeHex, { selectors: true, arguments: true });
  return functions.map(({ selector, arguments: types }) => ({ selector, arguments: types }));
}
