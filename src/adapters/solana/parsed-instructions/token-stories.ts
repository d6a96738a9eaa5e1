import { discriminatorOf } from "../../../chains/solana/acts/token-interfaces.ts";
import { bytesOf, u64 } from "./bytes.ts";
import type { Rebuild, Rebuilds, Story } from "./story.ts";

const roles: Readonly<Record<string, number>> = { mintTokens: 0, freezeAccount: 1, accountOwner: 2, closeAccount: 3 };
/** The number that stands for all other authority types of Token-2022. */
const EXTENSION = 4;

/** The fields with the authority: a single account, or a multisig account with its signers. */
type By = readonly [one: string, several: string];
const authority: By = ["authority", "multisigAuthority"];
const mintAuthority: By = ["mintAuthority", "multisigMintAuthority"];
const freezeAuthority: By = ["freezeAuthority", "multisigFreezeAuthority"];
const feeAuthority: By = ["transferFeeConfigAuthority", "multisigtransferFeeConfigAuthority"];
const withheldAuthority: By = ["withdrawWithheldAuthority", "multisigWithdrawWithheldAuthority"];

/** An action of an authority over tokens. `places` are the accounts before the authority. Amounts show in balances. */
const used =
  (numbers: readonly number[], by: By, ...places: readonly string[]): Rebuild =>
  (story) => ({
    accounts: [...places.map((place) => story.text(place)), story.text(...by), ...story.signers()],
    data: Uint8Array.from(numbers),
  });

/** A rule for all holders of a token. Its value follows both numbers. */
const ruled =
  (numbers: readonly number[], by: By, value: (story: Story) => Uint8Array): Rebuild =>
  (story) => {
    const { accounts, data } = used(numbers, by, "mint")(story);
    return { accounts, data: bytesOf(data, value(story)) };
  };

/** Account states by the names that nodes use. */
const states: ReadonlyMap<string, number> = new Map([
  ["uninitialized", 0],
  ["initialized", 1],
  ["frozen", 2],
]);

/** An instruction that burns tokens. Its amount is in a field with one of two forms. */
const burnt =
  (numbers: readonly number[], amount: string, ...places: readonly string[]): Rebuild =>
  (story) => {
    const { accounts, data } = used(numbers, authority, ...places)(story);
    return { accounts, data: bytesOf(data, u64(story.amount(amount))) };
  };

/** 32 zeros stand for no key. */
const keyOrZeros = (story: Story, name: string) =>
  story.optional(name) === undefined ? new Uint8Array(32) : story.key(name);

/** A new update authority, for the metadata of a token or for a group of tokens. */
const handedOver = (story: Story, account: string, name: Parameters<typeof discriminatorOf>[0]) => ({
  accounts: [story.text(account), story.text("updateAuthority")],
  data: bytesOf(discriminatorOf(name), keyOrZeros(story, "newAuthority")),
});

export const token: Rebuilds = {
  transfer: used([3], authority, "source", "destination"),
  transferChecked: used([12], authority, "source", "mint", "destination"),
  transferCheckedWithFee: used([26, 1], authority, "source", "mint", "destination"),
  unwrapLamports: used([45], authority, "source", "destination"),
  mintTo: used([7], mintAuthority, "mint", "account"),
  mintToChecked: used([14], mintAuthority, "mint", "account"),
  withdrawWithheldTokensFromMint: used([26, 2], withheldAuthority, "mint", "feeRecipient"),
  withdrawWithheldTokensFromAccounts: used([26, 3], withheldAuthority, "mint", "feeRecipient"),
  freezeAccount: used([10], freezeAuthority, "account", "mint"),
  setTransferFee: ruled([26, 5], feeAuthority, (story) =>
    bytesOf(u64(story.number("transferFeeBasisPoints")).subarray(0, 2), u64(story.number("maximumFee"))),
  ),
  // An unknown state counts as the worst.
  updateDefaultAccountState: ruled([28, 1], freezeAuthority, (story) =>
    Uint8Array.of(states.get(story.text("accountState")) ?? 2),
  ),
  updateTransferHook: ruled([36, 1], authority, (story) => keyOrZeros(story, "programId")),
  pause: used([44, 1], authority, "mint"),
  burn: burnt([8], "amount", "account", "mint"),
  burnChecked: burnt([15], "tokenAmount", "account", "mint"),
  permissionedBurn: burnt([46, 1], "amount", "account", "mint", "permissionedBurnAuthority"),
  permissionedBurnChecked: burnt([46, 2], "tokenAmount", "account", "mint", "permissionedBurnAuthority"),
  updateTokenMetadataAuthority: (story) =>
    handedOver(story, "metadata", "spl_token_metadata_interface:update_the_authority"),
  updateTokenGroupAuthority: (story) => handedOver(story, "group", "spl_token_group_interface:update_authority"),
  withdrawExcessLamports: (story) => ({
    accounts: [
      story.text("source"),
      story.text("destination"),
      story.text("authority", "multisigAuthority"),
      ...story.signers(),
    ],
    data: Uint8Array.of(38),
  }),
  approve: (story) => ({
    accounts: [story.text("source"), story.text("delegate"), story.text("owner", "multisigOwner"), ...story.signers()],
    data: bytesOf(Uint8Array.of(4), u64(story.amount("amount"))),
  }),
  setAuthority: (story) => {
    const to = story.optional("newAuthority");
    const role = roles[story.text("authorityType")] ?? EXTENSION;
    const given = to === undefined ? Uint8Array.of(0) : bytesOf(Uint8Array.of(1), story.key("newAuthority"));
    return {
      accounts: [story.text("account", "mint"), story.text("authority", "multisigAuthority"), ...story.signers()],
      data: bytesOf(Uint8Array.of(6, role), given),
    };
  },
  closeAccount: (story) => ({
    accounts: [
      story.text("account"),
      story.text("destination"),
      story.text("owner", "multisigOwner"),
      ...story.signers(),
    ],
    data: Uint8Array.of(9),
  }),
  approveChecked: (story) => ({
    accounts: [
      story.text("source"),
      story.text("mint"),
      story.text("delegate"),
      story.text("owner", "multisigOwner"),
      ...story.signers(),
    ],
    data: bytesOf(Uint8Array.of(13), u64(story.amount("tokenAmount"))),
  }),
};
