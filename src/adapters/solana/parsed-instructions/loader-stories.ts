import { u32 } from "./bytes.ts";
import type { Rebuilds } from "./story.ts";

export const loader: Rebuilds = {
  upgrade: (story) => ({
    accounts: [story.text("programDataAccount"), story.text("programAccount")],
    data: u32(3),
  }),
  setAuthority: (story) => ({
    accounts: [story.text("account"), story.text("authority"), ...[story.optional("newAuthority") ?? []].flat()],
    data: u32(4),
  }),
  close: (story) => ({
    accounts: [story.text("account"), story.text("recipient"), story.text("authority")],
    data: u32(5),
  }),
  setAuthorityChecked: (story) => ({
    accounts: [story.text("account"), story.text("authority"), story.text("newAuthority")],
    data: u32(7),
  }),
};
