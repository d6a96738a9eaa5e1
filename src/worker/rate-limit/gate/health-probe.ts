import type { SentTo } from "../../../api/routes.ts";

/**
 * What shows whether the service is up: asked about by nobody, and answered by whatever answers. One request of the quota. It is
 * put by POST, as events are: a service may have no GET form.
 */
export const HARMLESS_QUESTION: SentTo<"poisoningSingle"> = {
  chain_id: "1",
  address: "0x000000000000000000000000000000000000dEaD",
};
