import { bytesOf, numberOption, option, u32, u64 } from "./bytes.ts";
import type { Rebuild, Rebuilds, Story } from "./story.ts";

const stakeRole = (story: Story) => u32(story.text("authorityType") === "Staker" ? 0 : 1);

/** A lockup, with or without a check that a new custodian signs. */
const lockup: Rebuild = (story) => {
  const inner = story.inner("lockup");
  const custodian = inner.optional("custodian") === undefined ? undefined : inner.key("custodian");
  const untilSec = numberOption(inner.optionalNumber("unixTimestamp"));
  const untilEpoch = numberOption(inner.optionalNumber("epoch"));
  return {
    accounts: [story.text("stakeAccount"), story.text("custodian")],
    data: bytesOf(u32(6), untilSec, untilEpoch, option(custodian)),
  };
};

export const stake: Rebuilds = {
  withdraw: (story) => ({
    accounts: [story.text("stakeAccount"), story.text("destination"), story.text("withdrawAuthority")],
    data: bytesOf(u32(4), u64(story.number("lamports"))),
  }),
  setLockup: lockup,
  setLockupChecked: lockup,
  authorize: (story) => ({
    accounts: [story.text("stakeAccount"), story.text("authority")],
    data: bytesOf(u32(1), story.key("newAuthority"), stakeRole(story)),
  }),
  authorizeWithSeed: (story) => ({
    accounts: [story.text("stakeAccount"), story.text("authorityBase")],
    data: bytesOf(u32(8), story.key("newAuthorized"), stakeRole(story)),
  }),
  authorizeChecked: (story) => ({
    accounts: [story.text("stakeAccount"), story.text("authority"), story.text("newAuthority")],
    data: bytesOf(u32(10), stakeRole(story)),
  }),
  authorizeCheckedWithSeed: (story) => ({
    accounts: [story.text("stakeAccount"), story.text("authorityBase"), story.text("newAuthorized")],
    data: bytesOf(u32(11), stakeRole(story)),
  }),
};
