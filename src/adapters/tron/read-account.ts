import type { CanonicalAddress } from "../../chains/address.ts";
import { accountMessage } from "../../chains/tron/message/account-message.ts";
import {
  addressIn,
  integerIn,
  type MessageValue,
  messageIn,
  messagesIn,
} from "../../chains/tron/message/message-value.ts";
import { readMessage } from "../../chains/tron/message/read-message.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import { activeOf, type Permission, permissionOf } from "../../service/tron-transactions/permissions/permission.ts";
import { initialPermissions } from "../../service/tron-transactions/permissions/permission-analysis.ts";
import type { PermissionSet, TronAccount } from "../../service/tron-transactions/tron-node.ts";
import { isEmpty } from "./json-fields.ts";

/** `AccountType` in core/Tron.proto. */
const CONTRACT = 2n;

/** Reads an answer of wallet/getaccount: an account, or `{}` for one that was never activated. */
export function readAccount(json: unknown, asked: CanonicalAddress): Result<TronAccount | undefined> {
  if (isEmpty(json)) return ok(undefined);
  const read = readMessage(accountMessage, json, "hex");
  if (!read.ok) return fail(`no account: ${read.detail}`);
  const { value, strays } = read.value;
  if (addressIn(value, "address") !== asked) return fail("the account of another address than was asked for");
  // An account of an unknown kind may be a contract.
  if (strays.includes("type")) return fail("an account of an unknown type");
  const permissions = readPermissions(value, asked);
  // An impossible permission would make every signer seem entitled already, and an update would seem to grant nothing.
  const all = [permissions.owner, permissions.witness, ...permissions.actives].filter((each) => each !== undefined);
  if (!all.every(isPossible)) return fail("a permission that no account can have");
  return ok({
    balanceSun: integerIn(value, "balance"),
    isContract: integerIn(value, "type") === CONTRACT,
    isWitness: value.fields.get("is_witness") === true,
    permissions,
  });
}

function readPermissions(value: MessageValue, account: CanonicalAddress): PermissionSet {
  const owner = messageIn(value, "owner_permission");
  const witness = messageIn(value, "witness_permission");
  if (owner === undefined) return initialPermissions(account);
  return {
    owner: permissionOf(owner),
    witness: witness && permissionOf(witness),
    actives: messagesIn(value, "active_permission").map(activeOf),
  };
}

/** Source: java-tron, AccountPermissionUpdateActuator.checkPermission. */
function isPossible({ threshold, keys }: Permission): boolean {
  const total = keys.reduce((sum, { weight }) => sum + weight, 0n);
  return threshold > 0n && keys.every(({ weight }) => weight > 0n) && total >= threshold;
}
