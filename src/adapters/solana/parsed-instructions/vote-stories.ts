import { bytesOf, text, u32, u64 } from "./bytes.ts";
import type { Rebuilds, Story } from "./story.ts";

const voteRole = (story: Story) => u32(story.text("authorityType") === "Withdrawer" ? 1 : 0);
const voteAccounts = (story: Story, authority: string) => [
  story.text("voteAccount"),
  story.text("clockSysvar"),
  story.text(authority),
];

export const vote: Rebuilds = {
  withdraw: (story) => ({
    accounts: [story.text("voteAccount"), story.text("destination"), story.text("withdrawAuthority")],
    data: bytesOf(u32(3), u64(story.number("lamports"))),
  }),
  updateValidatorIdentity: (story) => ({
    accounts: [story.text("voteAccount"), story.text("newValidatorIdentity"), story.text("withdrawAuthority")],
    data: u32(4),
  }),
  updateCommission: (story) => ({
    accounts: [story.text("voteAccount"), story.text("withdrawAuthority")],
    data: u32(5),
  }),
  updateCommissionCollector: (story) => ({
    accounts: [story.text("voteAccount"), story.text("newCollector"), story.text("withdrawAuthority")],
    data: u32(17),
  }),
  updateCommissionBps: (story) => ({
    accounts: [story.text("voteAccount"), story.text("withdrawAuthority")],
    data: u32(18),
  }),
  authorize: (story) => ({
    accounts: voteAccounts(story, "authority"),
    data: bytesOf(u32(1), story.key("newAuthority"), voteRole(story)),
  }),
  authorizeChecked: (story) => ({
    accounts: [...voteAccounts(story, "authority"), story.text("newAuthority")],
    data: bytesOf(u32(7), voteRole(story)),
  }),
  authorizeWithSeed: (story) => ({
    accounts: voteAccounts(story, "authorityBaseKey"),
    data: bytesOf(
      u32(10),
      voteRole(story),
      story.key("authorityOwner"),
      text(story.text("authoritySeed")),
      story.key("newAuthority"),
    ),
  }),
  authorizeCheckedWithSeed: (story) => ({
    accounts: [...voteAccounts(story, "authorityBaseKey"), story.text("newAuthority")],
    data: bytesOf(u32(11), voteRole(story)),
  }),
};
