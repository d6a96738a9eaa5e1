import { contractMessages } from "../../chains/tron/message/contract-messages.ts";
import { textIn } from "../../chains/tron/message/message-value.ts";
import { readMessage } from "../../chains/tron/message/read-message.ts";
import { fail, ok, type Result } from "../../kernel/result.ts";
import type { AssetNames } from "../../service/tron-transactions/tron-node.ts";
import { isEmpty } from "./json-fields.ts";

/** Reads an answer of wallet/getassetissuebyid: a TRC-10 as it was issued, or `{}` for an unused id. */
export function readAsset(json: unknown, asked: bigint): Result<AssetNames | undefined> {
  if (isEmpty(json)) return ok(undefined);
  const read = readMessage(contractMessages.AssetIssueContract, json, "hex");
  if (!read.ok) return fail(`no TRC-10: ${read.detail}`);
  const { value } = read.value;
  if (textIn(value, "id") !== String(asked)) return fail("the TRC-10 of another id than was asked for");
  const [name, abbr] = [textIn(value, "name"), textIn(value, "abbr")];
  // No TRC-10 was ever issued without a name, so an answer without the name is incomplete.
  return name === "" ? fail("a TRC-10 without a name") : ok({ id: asked, name, abbr });
}
