/**
 * Nodes say in their own words that called code failed. Code 3 is geth's and anvil's for a revert, -32015 that of
 * Nethermind; the others give one code for everything, so that the words have to tell. What is not known here counts
 * as the node's fault: it is asked elsewhere, and never taken for an answer.
 */
const REVERTED = new Set([3, -32015]);
const words =
  /revert|invalid ?(fe)?opcode|invalid ?jump|bad jump|out ?of ?gas|gas uint64 overflow|stack ?(under|over)flow|stack limit|write protection|state change during static|vm execution error|evm error|bad instruction|return ?data out of bounds|outofoffset|memory limit/i;

/** Whether an error answer to `eth_call` says that the code that was called failed, rather than the node. */
export function isCallFailure({ code, message }: { readonly code: number; readonly message: string }): boolean {
  return REVERTED.has(code) || words.test(message);
}
