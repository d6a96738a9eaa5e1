/**
 * Verdicts on TRON transactions by the real service over HTTP: `node bench/tron-static.ts`. The service runs as a child
 * process with the bundled labels; this process loads it.
 */
import { readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { routes } from "../src/api/routes.ts";
import { startService } from "./loaded-service.ts";

const WARM_UP = 3_000;
const VERDICTS = 20_000;
const ROUNDS = 3;
const PATH = routes.transactionSecurity.path;

const service = await startService({ TRON_RPC_URL: "" });

const { vectors } = JSON.parse(
  readFileSync(new URL("../test/fixtures/tron-vectors.json", import.meta.url), "utf8"),
) as {
  readonly vectors: readonly { readonly name: string; readonly transaction: unknown }[];
};
const bodies = (names: (name: string) => boolean) =>
  vectors
    .filter(({ name }) => names(name))
    .map(({ transaction }) => JSON.stringify({ tron_transactions: [transaction], simulate: false }));
const cases = [
  ["one of each builder of tronweb", bodies(() => true)],
  ["payments", bodies((name) => name === "sendTrx")],
  ["token calls", bodies((name) => name.startsWith("triggerSmartContract"))],
  ["permission updates", bodies((name) => name.startsWith("updateAccountPermissions"))],
] as const;

process.stdout.write(
  `node ${process.version}, ${availableParallelism()} cores, ${VERDICTS} verdicts a round, ${ROUNDS} rounds\n`,
);
for (const [name, sent] of cases) {
  await service.load(PATH, sent, WARM_UP);
  for (let round = 0; round < ROUNDS; round++) {
    const { perSecond, perCpuSecond } = await service.load(PATH, sent, VERDICTS);
    const shown = (rate: number) => String(Math.round(rate)).padStart(7);
    process.stdout.write(`${name.padEnd(34)} ${shown(perSecond)}/s ${shown(perCpuSecond)}/CPU s\n`);
  }
}
await service.stop();
