/**
 * Codes for failed code. Code 3 means a revert in geth and anvil, and -32015 in Nethermind. The other nodes use one
 * code for everything, so their messages decide. An unknown failure counts as the node's fault: another node is called,
 * and the failure is never taken for an answer.
 */
const REVERTED = new Set([3, -32015]);
const words =
  /revert|invalid ?(fe)?opcode|invalid ?jump|bad jump|out ?of ?gas|gas uint64 overflow|stack ?(under|over)flow|stack limit|write protection|state change during static|vm execution error|evm error|bad instruction|return ?data out of bounds|outofoffset|memory limit/i;

/** Whether an error answer to `eth_call` means that the called code failed, rather than the node. */
export function isCallFailure({ code, message }: { readonly code: number; readonly message: string }): boolean {
  return REVERTED.has(code) || words.test(message);
}
