import type { SentTo } from "../contract/routes.ts";

/** What shows whether the service is up: asked about by nobody, and answered by whatever answers. One request of the quota. */
export const HARMLESS_QUESTION: SentTo<"poisoningQuery"> = {
  chain_id: "1",
  address: "0x000000000000000000000000000000000000dEaD",
};
