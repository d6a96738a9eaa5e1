import { tokenSignatures } from "../../../chains/tron/calls/token-signatures.ts";
import { instructions, opcode, parseHex } from "../../../evm-analysis/machine/code.ts";
import type { TronRule } from "./rule.ts";

/**
 * The code has no function with the selector and delegates to no other code. The call therefore does not do what its
 * name says.
 */
export const callNotInCode: TronRule = ({ call, chain, contract }) => {
  const code = chain?.code;
  if (call === undefined || call.is === "other" || code === undefined || code === "no contract") return undefined;
  const bytes = parseHex(code);
  if (bytes === undefined || selectorsOf(call.name).some((selector) => code.includes(selector))) return undefined;
  for (const [, op] of instructions(bytes)) if (op === opcode.delegatecall || op === opcode.callcode) return undefined;
  return `the contract ${contract?.address} has no ${call.name}`;
};

function selectorsOf(name: string): readonly string[] {
  return Object.entries(tokenSignatures).flatMap(([selector, { signature }]) =>
    signature.startsWith(`${name}(`) ? [selector] : [],
  );
}
