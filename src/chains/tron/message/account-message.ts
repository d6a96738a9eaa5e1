import { permission } from "./contract-messages.ts";
import { type MessageType, many, one } from "./message.ts";

/**
 * The fields of an account that Weir reads, as nodes show them. Source: tronprotocol/protocol, core/Tron.proto,
 * Account.
 */
export const accountMessage: MessageType = [
  one(2, "type", { enum: { Normal: 0, AssetIssue: 1, Contract: 2 } }),
  one(3, "address", "address"),
  one(4, "balance", "int64"),
  one(14, "is_witness", "bool"),
  one(31, "owner_permission", { message: permission }),
  one(32, "witness_permission", { message: permission }),
  many(33, "active_permission", { message: permission }),
];
