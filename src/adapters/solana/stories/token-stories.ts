import { discriminatorOf } from "../../../chains/solana/token-interfaces.ts";
import { bytesOf, u64 } from "./bytes.ts";
import type { Rebuild, Rebuilds, Story } from "./story.ts";

const roles: Readonly<Record<string, number>> = { mintTokens: 0, freezeAccount: 1, accountOwner: 2, closeAccount: 3 };
/** Any of Token-2022's others: they are read as one. */
const EXTENSION = 4;

/**
 * Of what moves tokens the accounts are read of somebody's who share them: it shows who signed. `places` are those before
 * the authority.
 */
const moved =
  (numbers: readonly number[], ...places: readonly string[]): Rebuild =>
  (story) => {
    const shared = story.optional("multisigAuthority");
    if (shared === undefined) return { accounts: [], data: new Uint8Array() };
    const named = places.map((place) => story.text(place));
    return { accounts: [...named, shared, ...story.signers()], data: Uint8Array.from(numbers) };
  };

/** Who may change what a token is called, or which tokens are a group; nobody is 32 zeros. */
const handedOver = (story: Story, account: string, name: Parameters<typeof discriminatorOf>[0]) => ({
  accounts: [story.text(account), story.text("updateAuthority")],
  data: bytesOf(
    discriminatorOf(name),
    story.optional("newAuthority") === undefined ? new Uint8Array(32) : story.key("newAuthority"),
  ),
});

export const token: Rebuilds = {
  transfer: moved([3], "source", "destination"),
  transferChecked: moved([12], "source", "mint", "destination"),
  transferCheckedWithFee: moved([26, 1], "source", "mint", "destination"),
  burn: moved([8], "account", "mint"),
  burnChecked: moved([15], "account", "mint"),
  permissionedBurn: moved([46, 1], "account", "mint", "permissionedBurnAuthority"),
  permissionedBurnChecked: moved([46, 2], "account", "mint", "permissionedBurnAuthority"),
  unwrapLamports: moved([45], "source", "destination"),
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
