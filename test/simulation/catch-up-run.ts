import type { ResponseOf } from "../../src/api/routes.ts";
import { type Random, seededRandom } from "../../src/kernel/retry.ts";
import type { OutRecord, StreamRecord } from "../../src/kernel/stream.ts";
import { Verdict } from "../../src/messages/verdict.ts";
import { clean } from "../fakes/evidence.ts";
import { settled } from "../fakes/virtual-clock.ts";
import { randomAddress } from "../support/random-addresses.ts";
import { running, SECOND } from "../support/running-groups.ts";
import { broughtBack } from "./brought-back.ts";
import { honestService } from "./honest-service.ts";
import { WaitingSlots } from "./waiting-slots.ts";

const STEP_MS = 100;
const DEADLINE_MS = 30 * SECOND;
/** Records of one partition that a fetch brings, and how many of them are handed in at once. */
const FETCH = 1_000;
export const PIECE = 20;
const BACKLOG_PARTITION = 0;
const routes = ["poisoningBatch", "poisoningSingle", "evmTransactionSecurity"] as const;

export interface CatchUp {
  /** Events in a partition that were written before the worker starts. */
  readonly backlog: number;
  /** How long ago the first of them was written; the others followed evenly. */
  readonly ageMs: number;
  /** Requests a second that may leave; of the backlog each asks about one event, unless `event` says otherwise. */
  readonly perSecond: number;
  /** The n-th event of the backlog. */
  readonly event?: (n: number) => object;
  /** Events a second that are written meanwhile, in this partition. */
  readonly fresh?: { readonly perSecond: number; readonly partition: 0 | 1 };
  /** Whether a request that leaves is never answered. */
  readonly isSilent?: boolean;
  /** How long the run takes. It ends once all is answered, unless fresh events follow the backlog. */
  readonly lastsMs: number;
}

export interface CaughtUp {
  /** Verdicts on the backlog for each event of it that was read. */
  readonly verdictsAnEvent: number;
  /** Events of the backlog that were taken in, and that have an answer. */
  readonly read: number;
  readonly answered: number;
  /** The most events in flight that were overdue when they were read. */
  readonly mostInFlight: number;
  /** The longest that one of these was in flight before its first verdict. */
  readonly slowestMs: number;
  /** Events that were written meanwhile. */
  readonly fresh: readonly Fresh[];
  /** The offset of the backlog that was committed last. */
  readonly committed: number;
}

export interface Fresh {
  /** Milliseconds after the start. */
  readonly writtenMs: number;
  /** Whether its first verdict was a decision within the deadline. */
  readonly isInTime: boolean;
}

interface Place {
  readonly isOld: boolean;
  /** Whether it was past its deadline when it was read. */
  readonly isOverdue: boolean;
  readonly readMs: number;
  readonly writtenMs: number;
  verdicts: number;
  isAnswered: boolean;
  isInTime: boolean;
}

/** A worker reads a backlog of realtime transactions, each of which is a request. Time is virtual. */
export async function catchUp(options: CatchUp): Promise<CaughtUp> {
  const random = seededRandom(1);
  const { backlog, ageMs, perSecond, fresh, isSilent = false, lastsMs } = options;
  const { event = () => transaction(random) } = options;
  const service = honestService().on("evmTransactionSecurity", answer);
  if (isSilent) for (const route of routes) service.on(route, () => Promise.withResolvers<never>().promise);
  const slots = new WaitingSlots();
  const ran = await running(service, { slots, livePartitions: 2 });
  const { clock, publisher, events: live, retries, stopping, ended, bytes, pass } = ran;
  const begun = clock.now();
  const places = new Map<string, Place>();
  const waiting: StreamRecord[][] = [[], []];
  const tickets: StreamRecord[] = [];
  const found = { most: 0, slowestMs: 0 };
  let [written, answered, tokens, brought, inFlight] = [0, 0, 0, 0, 0];

  const write = (content: object, partition: number, timestamp: number, offset: number) => {
    const value = bytes({ ...content, id: `${partition}/${offset}` });
    waiting[partition]?.push({ topic: "live", partition, offset, timestamp, value, headers: {} });
  };
  for (let n = 0; n < backlog; n++) write(event(n), BACKLOG_PARTITION, begun - ageMs + (n * ageMs) / backlog, n);

  const fetch = (partition: number) => {
    const queue = waiting[partition] ?? [];
    for (let taken = 0; taken < FETCH && queue.length > 0 && !live.paused.has(`live/${partition}`); taken += PIECE) {
      const piece = queue.slice(0, PIECE);
      if (!live.handler.delivered(piece)) return;
      queue.splice(0, piece.length);
      for (const { offset, timestamp: writtenMs } of piece) {
        const now = clock.now();
        const age = { isOld: writtenMs < begun, isOverdue: now - writtenMs >= DEADLINE_MS, readMs: now, writtenMs };
        places.set(`${partition}/${offset}`, { ...age, verdicts: 0, isAnswered: false, isInTime: false });
        if (age.isOverdue) inFlight++;
      }
    }
  };
  const hear = (record: OutRecord<Uint8Array>) => {
    if (record.topic.startsWith("retry")) tickets.push(broughtBack(record, brought++, clock.now()));
    if (record.topic !== "verdicts") return;
    const { event_id: id, decision } = Verdict.parse(JSON.parse(Buffer.from(record.value).toString()));
    const place = places.get(id ?? "");
    if (place === undefined) throw new Error("a verdict on what was not read");
    if (place.verdicts++ === 0) {
      place.isInTime = decision !== "UNKNOWN" && clock.now() - place.writtenMs <= DEADLINE_MS;
      if (place.isOverdue) {
        inFlight--;
        found.slowestMs = Math.max(found.slowestMs, clock.now() - place.readMs);
      }
    }
    if (decision === "UNKNOWN" || place.isAnswered) return;
    place.isAnswered = true;
    answered++;
  };
  const isFollowed = fresh?.partition === BACKLOG_PARTITION;
  const isOver = () => !isFollowed && answered === backlog + written;

  for (let ms = 0; ms < lastsMs && !isOver(); ms += STEP_MS) {
    const due = Math.floor(((fresh?.perSecond ?? 0) * (ms + STEP_MS)) / SECOND);
    while (fresh !== undefined && written < due) {
      write(transaction(random), fresh.partition, clock.now(), backlog + written++);
    }
    fetch(0);
    fetch(1);
    await settled();
    found.most = Math.max(found.most, inFlight);
    for (tokens = Math.min(1, tokens) + (perSecond * STEP_MS) / SECOND; tokens >= 1; tokens--) {
      if (slots.next()) await settled();
    }
    for (const each of Object.values(Object.groupBy(tickets.splice(0), ({ topic }) => topic))) {
      retries.handler.delivered(each ?? []);
    }
    await pass(STEP_MS);
    for (const record of publisher.records.splice(0)) hear(record);
  }
  stopping.abort();
  await pass(60 * SECOND);
  await ended;
  const commits = live.commits
    .flat()
    .filter(({ topic, partition }) => topic === "live" && partition === BACKLOG_PARTITION);
  const all = [...places.values()];
  const old = all.filter(({ isOld }) => isOld);
  return {
    verdictsAnEvent: old.reduce((sum, { verdicts }) => sum + verdicts, 0) / old.length,
    read: old.length,
    answered: old.filter(({ isAnswered }) => isAnswered).length,
    mostInFlight: found.most,
    slowestMs: found.slowestMs,
    fresh: all.flatMap(({ isOld, writtenMs, isInTime }) => (isOld ? [] : [{ writtenMs: writtenMs - begun, isInTime }])),
    committed: commits.at(-1)?.offset ?? 0,
  };
}

function answer(): ResponseOf<"evmTransactionSecurity"> {
  return { code: "0", status: "ok", data: clean.tron } as unknown as ResponseOf<"evmTransactionSecurity">;
}

function transaction(random: Random): object {
  const [from, to] = [randomAddress("evm", random), randomAddress("evm", random)];
  return {
    ...{ type: "transaction", chain_id: "1", user_addresses: [from], checks: ["evm-security"] },
    transaction: { from, to, value: "1000", data: "0x" },
  };
}
