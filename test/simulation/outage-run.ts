import type { ResponseOf } from "../../src/api/routes.ts";
import { keyText } from "../../src/chains/solana/key.ts";
import { programs } from "../../src/chains/solana/programs.ts";
import { type Random, seededRandom } from "../../src/kernel/retry.ts";
import type { StreamRecord } from "../../src/kernel/stream.ts";
import { Verdict } from "../../src/messages/verdict.ts";
import { UnavailableError } from "../../src/worker/answers/service-errors.ts";
import { clean } from "../fakes/evidence.ts";
import { type FakeConsumer, nameOf } from "../fakes/fake-consumer.ts";
import { settled } from "../fakes/virtual-clock.ts";
import { randomAddress } from "../support/random-addresses.ts";
import { running, SECOND } from "../support/running-groups.ts";
import { broughtBack } from "./brought-back.ts";
import { honestService } from "./honest-service.ts";
import { WaitingSlots } from "./waiting-slots.ts";

/** Requests per second that the API key allows. */
export const QUOTA = 10;
const STEP_MS = 200;
/** Share of the quota that remains during a cut. */
const CUT = 0.1;

export interface Outage {
  readonly kind: "no slots" | "service down" | "quota cut";
  readonly fromMs: number;
  readonly lastsMs: number;
}

/** Realtime events per second, by kind of question. */
export interface Load {
  readonly evm?: number;
  readonly solana?: number;
  readonly deposits?: number;
}

/** One event of the run. */
export interface Seen {
  readonly kind: keyof Load;
  readonly cameMs: number;
  /** Whether the first verdict was a decision and came by the deadline. */
  readonly isInTime: boolean;
}

export interface OutageRun {
  readonly events: readonly Seen[];
  /** Answered requests about EVM transactions. Each is one question. */
  readonly evmAnswers: number;
}

/** A worker on topics with an API key of ten requests per second, under a load, with an outage. Time is virtual. */
export async function runOutage(load: Load, outage: Outage, lastsMs: number): Promise<OutageRun> {
  const state = { isDown: false, evmAnswers: 0 };
  const random = seededRandom(1);
  const service = honestService(() => {
    if (state.isDown) throw new UnavailableError("the service answered 503");
  }).on("evmTransactionSecurity", () => {
    if (state.isDown) throw new UnavailableError("the service answered 503");
    state.evmAnswers++;
    return { code: "0", status: "ok", data: clean.tron } as unknown as ResponseOf<"evmTransactionSecurity">;
  });
  const slots = new WaitingSlots();
  const { clock, publisher, events: live, retries, stopping, ended, bytes, pass } = await running(service, { slots });
  const kinds = Object.entries(load) as [keyof Load, number][];
  const due = new Map(kinds.map(([kind]) => [kind, 0]));
  const came: Pick<Seen, "kind" | "cameMs">[] = [];
  const first = new Map<string, boolean>();
  const [waiting, tickets]: [StreamRecord[], StreamRecord[]] = [[], []];
  let [tokens, looked, brought] = [0, 0, 0];
  for (let ms = 0; ms < lastsMs; ms += STEP_MS) {
    const batch: StreamRecord[] = [];
    for (const [kind, perSecond] of kinds) {
      let owed = (due.get(kind) ?? 0) + (perSecond * STEP_MS) / SECOND;
      for (; owed >= 1; owed--) {
        const value = bytes({ ...eventOf(kind, random), id: String(came.length) });
        batch.push({ topic: "live", partition: 0, offset: came.length, timestamp: clock.now(), value, headers: {} });
        came.push({ kind, cameMs: ms });
      }
      due.set(kind, owed);
    }
    waiting.push(...batch);
    deliver(live, waiting);
    await settled();
    const isOut = ms >= outage.fromMs && ms < outage.fromMs + outage.lastsMs;
    state.isDown = isOut && outage.kind === "service down";
    const share = isOut && outage.kind === "quota cut" ? CUT : 1;
    const hasSlots = !(isOut && outage.kind === "no slots");
    for (tokens = hasSlots ? Math.min(1, tokens) + (share * QUOTA * STEP_MS) / SECOND : 0; tokens >= 1; tokens--) {
      if (slots.next()) await settled();
    }
    for (; looked < publisher.records.length; looked++) {
      const record = publisher.records[looked];
      if (record?.topic.startsWith("retry") === true) {
        tickets.push(broughtBack(record, brought++, clock.now()));
      }
      if (record?.topic !== "verdicts") continue;
      const { event_id: id, decision } = Verdict.parse(JSON.parse(Buffer.from(record.value).toString()));
      if (id !== null && !first.has(id)) first.set(id, decision !== "UNKNOWN");
    }
    deliver(retries, tickets);
    await pass(STEP_MS);
  }
  stopping.abort();
  await pass(60 * SECOND);
  await ended;
  return {
    events: came.map((each, i) => ({ ...each, isInTime: first.get(String(i)) === true })),
    evmAnswers: state.evmAnswers,
  };
}

/** Delivers and removes the waiting records, except for paused partitions. */
function deliver(consumer: FakeConsumer, waiting: StreamRecord[]): void {
  const left: StreamRecord[] = [];
  const ready: StreamRecord[] = [];
  for (const record of waiting) (consumer.paused.has(nameOf(record)) ? left : ready).push(record);
  waiting.splice(0, waiting.length, ...left);
  for (const each of Object.values(Object.groupBy(ready, nameOf))) consumer.handler.delivered(each ?? []);
}

function eventOf(kind: keyof Load, random: Random) {
  if (kind === "evm") {
    const [from, to] = [randomAddress("evm", random), randomAddress("evm", random)];
    const transaction = { from, to, value: "1000", data: "0x" };
    return { type: "transaction", chain_id: "1", transaction, user_addresses: [from], checks: ["evm-security"] };
  }
  if (kind === "deposits") {
    const [address, user] = [randomAddress("evm", random), randomAddress("evm", random)];
    return { type: "address", chain_id: "1", address, user_addresses: [user], checks: ["poisoning"] };
  }
  const [payer, friend] = [randomKey(random), randomKey(random)];
  const keys = [
    { pubkey: payer, isSigner: true, isWritable: true },
    { pubkey: friend, isSigner: false, isWritable: true },
  ];
  const data = Buffer.from([2, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0]).toString("base64");
  const transaction = { feePayer: payer, instructions: [{ programId: programs.system, keys, data }] };
  return {
    ...{ type: "transaction", chain_id: "solana", transaction, user_addresses: [payer] },
    checks: ["solana-simulation"],
  };
}

function randomKey(random: Random): string {
  return keyText(Buffer.from(Array.from({ length: 32 }, () => Math.floor(256 * random()))));
}
