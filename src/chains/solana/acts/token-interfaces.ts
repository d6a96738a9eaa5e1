import { sha256 } from "../../../kernel/hash.ts";

/**
 * Bytes that identify an instruction of an interface: the first bytes of the SHA-256 of its name. Source:
 * spl_discriminator.
 */
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
/** Instructions that hand the authority over a token's metadata, or over a group of tokens, to another account. */
const handovers = [
  "spl_token_metadata_interface:update_the_authority",
  "spl_token_group_interface:update_authority",
] as const;

const known: ReadonlySet<string> = new Set([...names, ...handovers].map(discriminator));
const handing: ReadonlySet<string> = new Set(handovers.map(discriminator));

/** The bytes that identify an instruction by its name. */
export function discriminatorOf(name: (typeof handovers)[number]): Uint8Array {
  return Uint8Array.from(Buffer.from(discriminator(name), "hex"));
}

/** Whether the data belong to an interface that Token-2022 supports beside its numbered instructions. */
export function isInterface(data: Uint8Array): boolean {
  return known.has(beginOf(data));
}

/** Whether the data hand an authority over. */
export function handsOver(data: Uint8Array): boolean {
  return handing.has(beginOf(data));
}

function beginOf(data: Uint8Array): string {
  return Buffer.from(data.subarray(0, DISCRIMINATOR_BYTES)).toString("hex");
}

function discriminator(name: string): string {
  return sha256(name).slice(0, 2 * DISCRIMINATOR_BYTES);
}
