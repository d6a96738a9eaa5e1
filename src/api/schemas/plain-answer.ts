import { STATUS_OK, SUCCESS_CODE } from "../envelope.ts";
import type { PoisoningBatchResponse, TargetFlags } from "./address-poisoning.ts";

/** A target in an answer as nearly all are: its echo, its three flags, and nothing beside. */
export type PlainTarget = Pick<TargetFlags, "is_poisoning" | "mimics_user" | "mimics_exchange"> & {
  readonly chain_id: string;
  readonly address: string;
};

/**
 * Whether a value from JSON is an answer about targets as nearly all are: nothing in it but what the interface names. Of
 * such a one the schema gives back the same; of any other only the schema tells, which takes ten times as long.
 */
export function isPlainAnswer(value: unknown): value is PoisoningBatchResponse {
  if (!hasOnly(value, 3)) return false;
  const { code, status, data } = value;
  if (code !== SUCCESS_CODE || status !== STATUS_OK || !hasOnly(data, 2)) return false;
  const { target_addresses: targets, token_addresses: tokens } = data;
  return Array.isArray(targets) && targets.every(isPlainTarget) && Array.isArray(tokens) && tokens.length === 0;
}

/** The same of one of its targets. */
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

/** What `TargetFlags` makes of a plain target: the same, the flags first. @param echo of the same texts. */
export function plainFlags(
  { is_poisoning, mimics_user, mimics_exchange }: PlainTarget,
  { chain_id, address }: Pick<PlainTarget, "chain_id" | "address">,
): TargetFlags {
  return { is_poisoning, mimics_user, mimics_exchange, chain_id, address };
}

function isFlag(value: unknown): boolean {
  return value === "0" || value === "1";
}

/** Whether it is an object of so many members. */
function hasOnly(value: unknown, members: number): value is Readonly<Record<string, unknown>> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  let count = 0;
  for (const _name in value) count++;
  return count === members;
}
