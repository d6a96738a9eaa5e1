import type { ResponseOf } from "../../src/api/routes.ts";
import { clean } from "./evidence.ts";

/** The service's answer about one address, without findings; a test may change its fields. */
export function singleAnswer(address: string, own: object = {}): ResponseOf<"poisoningSingle"> {
  const inputs = { target_address_input: address, user_address_input: "", token_address_input: "" };
  const data = { target_address: clean.target, token_address: {}, ...inputs, ...own };
  return { code: "0", status: "ok", data } as ResponseOf<"poisoningSingle">;
}
