import type { SentTo } from "../../../api/routes.ts";

/**
 * The health probe. No event asks about this address, and any working service can answer. One probe costs one request
 * of the quota. The probe is sent by POST, as events are, because a service may have no GET form.
 */
export const HEALTH_PROBE: SentTo<"poisoningSingle"> = {
  chain_id: "1",
  address: "0x000000000000000000000000000000000000dEaD",
};
