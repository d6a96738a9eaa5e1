import { sha256 } from "../../../kernel/sha256.ts";

/** Bytes by which an interface's instruction is told apart: the first of its name's SHA-256. Source: spl_discriminator. */
export const DISCRIMINATOR_BYTES = 8;

const names = [
  "spl_token_metadata_interface:initialize_account",
  "spl_token_metadata_interface:updating_field",
  "spl_token_metadata_interface:remove_key_ix",
  "spl_token_metadata_interface:emitter",
  "spl_token_group_interface:initialize_token_group",
  "spl_token_group_interface:update_group_max_size",
  "spl_token_group_interface:initialize_member",
] as const;
/** By these whoever may change a token's name and picture, or a group of tokens, hands that to somebody else. */
const handovers = [
  "spl_token_metadata_interface:update_the_authority",
  "spl_token_group_interface:update_authority",
] as const;

const known: ReadonlySet<string> = new Set([...names, ...handovers].map(discriminator));
const handing: ReadonlySet<string> = new Set(handovers.map(discriminator));

/** The bytes of an instruction's name. */
export function discriminatorOf(name: (typeof handovers)[number]): Uint8Array {
  return Uint8Array.from(Buffer.from(discriminator(name), "hex"));
}

/** Whether the data are of one of the interfaces that Token-2022 has beside its numbers. */
export function isInterface(data: Uint8Array): boolean {
  return known.has(beginOf(data));
}

/** Whether an authority is handed over by it. */
export function handsOver(data: Uint8Array): boolean {
  return handing.has(beginOf(data));
}

function beginOf(data: Uint8Array): string {
  return Buffer.from(data.subarray(0, DISCRIMINATOR_BYTES)).toString("hex");
}

function discriminator(name: string): string {
  return sha256(name).slice(0, 2 * DISCRIMINATOR_BYTES);
}
