import type { Message } from "../../../chains/solana/message/message.ts";

const MAX_INSTRUCTIONS = 64;
const MAX_ACCOUNTS_PER_INSTRUCTION = 255;

/**
 * Whether nodes refuse the message for its length before they load any account. The library has no such check. Source:
 * Agave, RuntimeTransaction::try_create (SIMD-0160 and SIMD-0406, both active).
 */
export function exceedsLimits({ instructions }: Message): boolean {
  if (instructions.length > MAX_INSTRUCTIONS) return true;
  return instructions.some(({ accounts }) => accounts.length > MAX_ACCOUNTS_PER_INSTRUCTION);
}
