import type { ResponseOf } from "../../src/api/routes.ts";
import { clean } from "./evidence.ts";

/** What the service says of one address, with nothing to report; a test changes what it is about. */
export function singleAnswer(address: string, own: object = {}): ResponseOf<"poisoningSingle"> {
  const inputs = { target_address_input: address, user_address_input: "", token_address_input: "" };
  const data = { target_address: clean.target, token_address: {}, ...inputs, ...own };
  return { code: "0", status: "ok", data } as ResponseOf<"poisoningSingle">;
}
