import { writeFile } from "node:fs/promises";
import path from "node:path";
import { emptyFolder } from "./folder.ts";
import { type Received, sendJson } from "./http-server.ts";

export const REAL = "0xd9A1b0B1e1aE382DbDc898Ea68012FfcB2853a91";
export const FAKE = "0xd9A1C3788D81257612E2581A6ea0aDa244853a91";
export const TRON_REAL = "TA9SJtzNUWiU6JzyS3kEQuRHRkPsitspmo";
export const TRON_FAKE = "TA9SpmD6Fne54b4jEWpCDaHUECdJitspmo";
export const BRIDGE_FAKE = "0x3eE1855219fEA0fF5560966AA95a5e6Cf00Fa585";

export const genuine = { type: "address", chain_id: "1", address: REAL, user_addresses: [REAL] };
export const lookalike = { type: "address", chain_id: "1", address: FAKE, user_addresses: [REAL] };
export const ndjson = (...events: readonly (object | string)[]) =>
  events.map((event) => `${typeof event === "string" ? event : JSON.stringify(event)}\n`).join("");

/** A folder with an input file; the output goes to `out` in that folder. */
export async function inputOf(name: string, content: string | Uint8Array) {
  const folder = await emptyFolder();
  const file = path.join(folder, name);
  await writeFile(file, content);
  return { folder, file, out: path.join(folder, "out") };
}

/** Answers each request about another address, without findings. */
export function anotherItem({ body }: Received, response: Parameters<typeof sendJson>[0]): void {
  const flags = { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" };
  const data = body.includes("user_addresses")
    ? { target_addresses: [{ chain_id: "1", address: FAKE, ...flags }], token_addresses: [] }
    : {
        target_address: flags,
        token_address: {},
        target_address_input: FAKE,
        user_address_input: "",
        token_address_input: "",
      };
  sendJson(response, 200, { code: "0", status: "ok", data });
}

/** Answers each request about its own address, without findings. */
export function answerNothingFound({ body }: Received, response: Parameters<typeof sendJson>[0]): void {
  const flags = { is_poisoning: "0", mimics_user: "0", mimics_exchange: "0" };
  const { target_addresses: targets } = JSON.parse(body) as { target_addresses: object[] };
  const data = { target_addresses: targets.map((target) => ({ ...target, ...flags })), token_addresses: [] };
  sendJson(response, 200, { code: "0", status: "ok", data });
}
