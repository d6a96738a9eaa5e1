/**
 * The smallest service that passes for a security service: it stores the ends of the users of a batch and looks every
 * target up among them. It runs as a child process and prints its URL on standard output.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const ends = (address: string) => `${address.slice(0, 5)}${address.slice(-4)}`.toLowerCase();
const flags = (alike: boolean) => ({
  is_poisoning: alike ? "1" : "0",
  mimics_user: alike ? "1" : "0",
  mimics_exchange: "0",
});

interface Item {
  readonly chain_id: string;
  readonly address: string;
}

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.on("end", () => {
    response.setHeader("content-type", "application/json");
    response.end(
      JSON.stringify({ code: "0", status: "ok", data: answer(JSON.parse(Buffer.concat(chunks).toString())) }),
    );
  });
});

function answer(body: { user_addresses?: Item[]; target_addresses?: Item[]; address?: string; user_address?: string }) {
  if (body.user_addresses === undefined) {
    const { address = "", user_address: user = "" } = body;
    const alike = user !== "" && user !== address && ends(user) === ends(address);
    const inputs = { target_address_input: address, user_address_input: user, token_address_input: "" };
    return { target_address: flags(alike), token_address: {}, ...inputs };
  }
  const users = new Map(body.user_addresses.map(({ address }) => [ends(address), address]));
  const targets = (body.target_addresses ?? []).map((item) => {
    const user = users.get(ends(item.address));
    return { ...item, ...flags(user !== undefined && user !== item.address) };
  });
  return { target_addresses: targets, token_addresses: [] };
}

server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
process.once("disconnect", () => process.exit(0));
