import { sha256 } from "../../../kernel/hash.ts";
import type { Instruction } from "../acts/act.ts";

/** A program that keeps assets of users in accounts that Weir does not read. */
interface Keeper {
  readonly what: string;
  /** The leading bytes of instructions that take nothing from any account, in hex. */
  readonly harmless: ReadonlySet<string>;
  /** The leading bytes of instructions that transfer an asset, with the index of the recipient's account. */
  readonly transfers: ReadonlyMap<string, number>;
  /** Bytes that distinguish the instructions of the program. */
  readonly bytes: 1 | 8;
}

/** Source: Anchor, the sighash of a global instruction. */
const anchor = (name: string) => sha256(`global:${name}`).slice(0, 16);
const number = (value: number) => Buffer.of(value).toString("hex");

const keepers: ReadonlyMap<string, Keeper> = new Map<string, Keeper>([
  [
    // Source: mpl-bubblegum, lib.rs and its generated clients.
    "BGUMAp9Gq7iTEuizy4pqaxsTyUCBK68MDfK752saRPUY",
    {
      what: "compressed collectibles",
      bytes: 8,
      harmless: new Set(
        [
          "create_tree",
          "create_tree_v2",
          "mint_v1",
          "mint_v2",
          "mint_to_collection_v1",
          "verify_creator",
          "verify_creator_v2",
          "unverify_creator",
          "unverify_creator_v2",
          "verify_collection",
          "unverify_collection",
          "set_and_verify_collection",
          "set_collection_v2",
          "update_metadata",
          "update_metadata_v2",
          "thaw_v2",
          "thaw_and_revoke_v2",
          "cancel_redeem",
        ].map(anchor),
      ),
      transfers: new Map([
        [anchor("transfer"), 3],
        [anchor("transfer_v2"), 5],
      ]),
    },
  ],
  [
    // Source: mpl-core, MplAssetInstruction: creations, plugins and rights that are taken away, and transfers.
    "CoREENxT6tW1HoK8ypY1SxRMZTcVPm7R94rH4PZNhX7d",
    {
      what: "collectibles",
      bytes: 1,
      harmless: new Set([0, 1, 4, 5, 10, 11, 20, 21].map(number)),
      transfers: new Map([[number(14), 4]]),
    },
  ],
  [
    // Source: spl-name-service, NameRegistryInstruction: the recipient of a name stands in its data.
    "namesLPneVptA9Z5rqUDD9tMTWEJwofgaYwp8cawRkX",
    { what: "names", bytes: 1, harmless: new Set([0, 1, 4].map(number)), transfers: new Map() },
  ],
  [
    // Source: Squads v4, squads_multisig_program: proposals, refusals and closed accounts, but no approvals.
    "SQDS4ep65T869zMMBKyuUq6aD6EgTu8psMjkvj52pCf",
    {
      what: "shared wallets",
      bytes: 8,
      harmless: new Set(
        [
          "multisig_create",
          "multisig_create_v2",
          "multisig_remove_spending_limit",
          "config_transaction_create",
          "vault_transaction_create",
          "vault_transaction_create_from_buffer",
          "transaction_buffer_create",
          "transaction_buffer_extend",
          "transaction_buffer_close",
          "batch_create",
          "batch_add_transaction",
          "proposal_create",
          "proposal_activate",
          "proposal_reject",
          "proposal_cancel",
          "proposal_cancel_v2",
          "config_transaction_accounts_close",
          "vault_transaction_accounts_close",
          "vault_batch_transaction_account_close",
          "batch_accounts_close",
        ].map(anchor),
      ),
      transfers: new Map(),
    },
  ],
]);

/** An asset that may leave without a change of any balance, and its recipient. */
export interface UnreadHolding {
  readonly what: string;
  readonly to: string | undefined;
}

/** The possible loss by an instruction. Undefined for a harmless instruction, and for a program without an entry. */
export function unreadHolding({ program, accounts, data }: Instruction): UnreadHolding | undefined {
  const keeper = keepers.get(program);
  if (keeper === undefined) return undefined;
  const begin = Buffer.from(data.subarray(0, keeper.bytes)).toString("hex");
  if (keeper.harmless.has(begin)) return undefined;
  const place = keeper.transfers.get(begin);
  return { what: keeper.what, to: place === undefined ? undefined : accounts[place] };
}
