/**
 * A simple hand-written loop: readline, bottleneck and undici, with a number of events a request (497; one as most are
 * written, PACK=1). It writes the same verdict and gzip bytes as `weir screen`. It has no checks, no retries, no
 * resuming. `node bench/plain-loop.ts IN OUT URL`.
 */
import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { createInterface } from "node:readline";
import { createGzip } from "node:zlib";
import Bottleneck from "bottleneck";
import { request } from "undici";

const [input = "", out = "", url = ""] = process.argv.slice(2);
const sample = JSON.parse(process.env["SAMPLE"] ?? "{}");
const pack = Number(process.env["PACK"] ?? 497);
const limiter = new Bottleneck({ maxConcurrent: 32 });
const [plain, packed] = [createWriteStream(`${out}.ndjson`), createGzip()];
packed.pipe(createWriteStream(`${out}.ndjson.gz`));
const post = async (events: { address: string; chain_id: string; user_addresses: string[]; id: string }[]) => {
  const item = (chain_id: string) => (address: string) => ({ chain_id, address });
  const user_addresses = events.flatMap((event) => event.user_addresses.map(item(event.chain_id)));
  const body = JSON.stringify({ user_addresses, target_addresses: events.map((e) => item(e.chain_id)(e.address)) });
  const headers = { "content-type": "application/json", "x-api-key": "k" };
  const { body: answer } = await request(`${url}/v2/svc/address-poisoning`, { method: "POST", headers, body });
  const { data } = (await answer.json()) as { data: { target_addresses: object[] } };
  const lines = events.map((event, i) => {
    const verdict_id = createHash("sha256").update(JSON.stringify(event)).digest("hex");
    const checks = [{ ...sample.checks[0], data: { target: data.target_addresses[i] } }];
    return `${JSON.stringify({ ...sample, verdict_id, event_id: event.id, subject: { ...sample.subject, ...event }, checks })}\n`;
  });
  plain.write(lines.join(""));
  if (!packed.write(lines.join(""))) await new Promise((resolve) => packed.once("drain", resolve));
};
let events: Parameters<typeof post>[0] = [];
const waiting: Promise<void>[] = [];
for await (const line of createInterface({ input: createReadStream(input) })) {
  if (events.push(JSON.parse(line)) < pack) continue;
  waiting.push(limiter.schedule(post, events));
  events = [];
  if (waiting.length >= (pack === 1 ? 64 : 8)) await Promise.all(waiting.splice(0));
}
await Promise.all([...waiting, post(events)]);
packed.end();
