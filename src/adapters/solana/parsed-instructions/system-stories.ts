import { bytesOf, text, u32, u64 } from "./bytes.ts";
import type { Rebuilds } from "./story.ts";

export const system: Rebuilds = {
  assign: (story) => ({ accounts: [story.text("account")], data: bytesOf(u32(1), story.key("owner")) }),
  authorizeNonce: (story) => ({
    accounts: [story.text("nonceAccount"), story.text("nonceAuthority")],
    data: bytesOf(u32(7), story.key("newAuthorized")),
  }),
  initializeNonce: (story) => ({
    accounts: [story.text("nonceAccount")],
    data: bytesOf(u32(6), story.key("nonceAuthority")),
  }),
  withdrawFromNonce: (story) => ({
    accounts: [story.text("nonceAccount"), story.text("destination"), story.text("nonceAuthority")],
    data: bytesOf(u32(5), u64(story.number("lamports"))),
  }),
  transferWithSeed: (story) => ({
    accounts: [story.text("source"), story.text("sourceBase"), story.text("destination")],
    data: bytesOf(u32(11), u64(story.number("lamports"))),
  }),
  allocate: (story) => ({ accounts: [story.text("account")], data: bytesOf(u32(8), u64(story.number("space"))) }),
  allocateWithSeed: (story) => ({
    accounts: [story.text("account"), story.text("base")],
    data: bytesOf(u32(9), story.key("base"), text(story.text("seed")), u64(story.number("space")), story.key("owner")),
  }),
  assignWithSeed: (story) => ({
    accounts: [story.text("account"), story.text("base")],
    data: bytesOf(u32(10), story.key("base"), text(story.text("seed")), story.key("owner")),
  }),
  createAccountAllowPrefund: (story) => ({
    accounts: [story.text("newAccount")],
    data: bytesOf(u32(13), u64(0n), u64(story.number("space")), story.key("owner")),
  }),
};
