import { STATUS_OK, SUCCESS_CODE } from "../envelope.ts";
import type { PoisoningBatchResponse, TargetFlags } from "./address-poisoning.ts";

/** A target of an answer in the common form: its echo, its three flags, and nothing else. */
export type PlainTarget = Pick<TargetFlags, "is_poisoning" | "mimics_user" | "mimics_exchange"> & {
  readonly chain_id: string;
  readonly address: string;
};

/**
 * Whether a JSON value is an answer about targets in the common form, with only the members of the interface. The
 * schema returns such an answer unchanged. Any other answer needs the schema, which takes ten times as long.
 */
export function isPlainAnswer(value: unknown): value is PoisoningBatchResponse {
  if (!hasOnly(value, 3)) return false;
  const { code, status, data } = value;
  if (code !== SUCCESS_CODE || status !== STATUS_OK || !hasOnly(data, 2)) return false;
  const { target_addresses: targets, token_addresses: tokens } = data;
  return Array.isArray(targets) && targets.every(isPlainTarget) && Array.isArray(tokens) && tokens.length === 0;
}

/** Whether a JSON value is a target in the common form. */
export function isPlainTarget(value: unknown): value is PlainTarget {
  if (!hasOnly(value, 5)) return false;
  const { chain_id, address, is_poisoning, mimics_user, mimics_exchange } = value;
  return (
    typeof chain_id === "string" &&
    typeof address === "string" &&
    isFlag(is_poisoning) &&
    isFlag(mimics_user) &&
    isFlag(mimics_exchange)
  );
}

/**
 * The result of `TargetFlags` for a plain target: the same values, the flags first. @param echo equal texts, for reuse.
 */
export function plainFlags(
  { is_poisoning, mimics_user, mimics_exchange }: PlainTarget,
  { chain_id, address }: Pick<PlainTarget, "chain_id" | "address">,
): TargetFlags {
  return { is_poisoning, mimics_user, mimics_exchange, chain_id, address };
}

function isFlag(value: unknown): boolean {
  return value === "0" || value === "1";
}

/** Whether a value is an object with exactly this number of members. */
function hasOnly(value: unknown, members: number): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  let count = 0;
  for (const _name in value) count++;
  return count === members;
}
