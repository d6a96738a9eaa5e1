import { sha256Bytes } from "../../kernel/hash.ts";
import { keyBytes, keyText } from "./key.ts";
import { programs } from "./programs.ts";
import { mayHaveKey } from "./wallet-key.ts";

const MARKER = Buffer.from("ProgramDerivedAddress");
const HIGHEST_BUMP = 255;

/**
 * The associated accounts of a wallet for a token, one for each token program. Source: SPL Associated Token; Solana,
 * "Program derived addresses".
 */
export function associatedAccounts(wallet: string, mint: string): readonly string[] {
  return [programs.token, programs.token2022].flatMap((program) => derived([wallet, program, mint]) ?? []);
}

/** The first address without a key, by a bump that counts down. */
function derived(seeds: readonly string[]): string | undefined {
  const keys = seeds.map(keyBytes);
  const program = keyBytes(programs.associatedToken);
  for (let bump = HIGHEST_BUMP; bump >= 0; bump--) {
    const address = keyText(sha256Bytes(Buffer.concat([...keys, Buffer.of(bump), program, MARKER])));
    if (!mayHaveKey(address)) return address;
  }
  return undefined;
}
