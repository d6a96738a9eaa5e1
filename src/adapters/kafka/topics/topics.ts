import type { Tier } from "../../../worker/consumer/tiers.ts";

/** Every topic that this program reads or writes. */
export interface Topics {
  readonly realtime: readonly string[];
  readonly backfill: readonly string[];
  readonly verdicts: string;
  readonly deadLetters: string;
  readonly retries: Readonly<Record<Tier, string>>;
  readonly control: string;
  /** The topic of verdicts in another format than JSON, where one is written. */
  readonly formatted?: string;
  /** Topics that records may name for copies of their verdicts. */
  readonly replies?: readonly string[];
}

/** The retry topics, such as `screening.retry.10s`. */
export function retryTopicsOf(prefix: string): Topics["retries"] {
  return { "10s": `${prefix}.10s`, "1m": `${prefix}.1m`, "10m": `${prefix}.10m` };
}

/** All topics, each with its purpose. */
export function purposesOf(topics: Topics): readonly (readonly [topic: string, purpose: TopicPurpose])[] {
  return [
    ...topics.realtime.map((topic) => [topic, "realtime"] as const),
    ...topics.backfill.map((topic) => [topic, "backfill"] as const),
    [topics.verdicts, "verdicts"],
    [topics.deadLetters, "dead letters"],
    ...Object.values(topics.retries).map((topic) => [topic, "tickets"] as const),
    [topics.control, "control"],
    ...(topics.formatted === undefined ? [] : [[topics.formatted, "formatted verdicts"] as const]),
    ...(topics.replies ?? []).map((topic) => [topic, "replies"] as const),
  ];
}

export type TopicPurpose =
  | "realtime"
  | "backfill"
  | "verdicts"
  | "dead letters"
  | "tickets"
  | "control"
  | "formatted verdicts"
  | "replies";
