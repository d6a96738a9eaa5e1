import { u32 } from "./bytes.ts";
import type { Rebuilds } from "./story.ts";

export const table: Rebuilds = {
  closeLookupTable: (story) => ({
    accounts: [story.text("lookupTableAccount"), story.text("lookupTableAuthority"), story.text("recipient")],
    data: u32(4),
  }),
};
