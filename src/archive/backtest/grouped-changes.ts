import type { Verdict } from "../../messages/verdict.ts";

/** How many verdicts of a group changed, and how. */
export interface GroupCounts {
  equal: number;
  loosened: number;
  tightened: number;
}

/** The properties by which verdicts are grouped. `topic` stands for the lane, which a verdict does not hold. */
export const groupings = ["finding", "tenant", "chain", "topic", "day"] as const;
export type Grouping = (typeof groupings)[number];

/** By property, then by its value. */
export type Groups = Readonly<Record<Grouping, ReadonlyMap<string, GroupCounts>>>;

/** The change of a verdict that decides how it is counted. */
interface CountedChange {
  readonly verdict: Verdict;
  readonly isLoosened: boolean;
  readonly because: readonly string[];
}

/** Most values of one property that are counted by name. */
const MAX_VALUES = 2_000;
/** Longest name of a value, characters. */
const MAX_LENGTH = 200;
const OTHERS = "(others)";
const DAY_LENGTH = "2026-01-31".length;

/** Counts changes by finding, tenant, chain, topic and day, in bounded memory. */
export class GroupedChanges {
  readonly byName: Record<Grouping, Map<string, GroupCounts>> = {
    finding: new Map(),
    tenant: new Map(),
    chain: new Map(),
    topic: new Map(),
    day: new Map(),
  };

  addEqual(verdict: Verdict): void {
    this.#group("tenant", verdict.tenant).equal++;
    this.#group("chain", chainOf(verdict)).equal++;
    this.#group("topic", topicOf(verdict)).equal++;
    this.#group("day", verdict.decided_at.slice(0, DAY_LENGTH)).equal++;
  }

  addChange({ verdict, isLoosened, because }: CountedChange): void {
    const way = isLoosened ? "loosened" : "tightened";
    this.#group("tenant", verdict.tenant)[way]++;
    this.#group("chain", chainOf(verdict))[way]++;
    this.#group("topic", topicOf(verdict))[way]++;
    this.#group("day", verdict.decided_at.slice(0, DAY_LENGTH))[way]++;
    for (const finding of because) this.#group("finding", finding)[way]++;
  }

  #group(by: Grouping, value: string): GroupCounts {
    const groups = this.byName[by];
    const short = value.slice(0, MAX_LENGTH);
    const name = groups.has(short) || groups.size < MAX_VALUES ? short : OTHERS;
    let group = groups.get(name);
    if (group === undefined) {
      group = { equal: 0, loosened: 0, tightened: 0 };
      groups.set(name, group);
    }
    return group;
  }
}

function chainOf({ subject }: Verdict): string {
  return subject.type === "unreadable" ? "" : subject.chain_id;
}

function topicOf({ source }: Verdict): string {
  return "topic" in source ? source.topic : source.file;
}
