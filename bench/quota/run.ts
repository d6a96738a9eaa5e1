/**
 * Weir's client against a server that enforces a quota: `node bench/quota/run.ts [given|cut|learned|changed|special]
 * [filter]`. All figures are the server's own, except for the events that lost an attempt to a 429: there must be none.
 * `SECONDS` shortens the learned and the special runs, `AT_ONCE` sets the number of parallel cases, and
 * `PICTURES=report.html` draws them.
 */
import { writeFile } from "node:fs/promises";
import { type Driven, drive } from "./drive.ts";
import { picture, report } from "./picture.ts";
import { quotas } from "./quotas.ts";
import type { Arrivals, Enforced } from "./server.ts";

interface Case {
  readonly name: string;
  readonly enforced: Enforced;
  readonly seconds: number;
  readonly isGiven: boolean;
  /** The observed periods, in seconds, and the factor of the quota in each. */
  readonly looks: readonly {
    readonly what: string;
    readonly from: number;
    readonly until: number;
    readonly times: number;
  }[];
}

const SECONDS = Number(process.env["SECONDS"] ?? 150);
const AT_ONCE = Number(process.env["AT_ONCE"] ?? 1);
const [set = "given", filter = ""] = process.argv.slice(2);

/** Halved, whole again, zero for a minute, and whole again. */
function changed(isGiven: boolean): readonly Case[] {
  return quotas
    .filter(({ enforced }) => enforced.windowMs === 1_000)
    .map(({ name, enforced }) => ({
      name,
      enforced: {
        ...enforced,
        changes: [
          { atSeconds: 30, times: 0.5 },
          { atSeconds: 60, times: 1 },
          { atSeconds: 90, times: 0 },
          { atSeconds: 150, times: 1 },
        ],
      },
      seconds: 180,
      isGiven,
      looks: [
        { what: "halved", from: 40, until: 60, times: 0.5 },
        { what: "doubled", from: 70, until: 90, times: 1 },
        { what: "after zero", from: 160, until: 180, times: 1 },
      ],
    }));
}

const sets: Readonly<Record<string, readonly Case[]>> = {
  given: quotas.map(({ name, enforced }) => {
    const given = { what: "given", from: 5, until: 35, times: 1 };
    // Larger quotas are nearly fully used from the beginning (`Headroom`).
    const isSmall = enforced.requests < 50;
    const tried = { what: "given, and more tried", from: 270, until: 330, times: 1 };
    return { name, enforced, seconds: isSmall ? 330 : 35, isGiven: true, looks: isSmall ? [given, tried] : [given] };
  }),
  learned: quotas.map(({ name, enforced }) => ({
    name,
    enforced,
    seconds: SECONDS,
    isGiven: false,
    looks: [
      { what: "10-30 s", from: 10, until: 30, times: 1 },
      { what: `from ${Math.round(SECONDS * 0.6)} s`, from: Math.round(SECONDS * 0.6), until: SECONDS, times: 1 },
    ],
  })),
  changed: changed(false),
  cut: changed(true),
  special: quotas
    .filter(({ enforced }) => enforced.requests === 50)
    .flatMap(({ name, enforced }) =>
      (
        [
          ["Retry-After", { tells: true }],
          ["5 % 500s", { failing: 0.05 }],
          ["3 at once", { atOnce: 3 }],
          ["slow answers", { latencyMs: [100, 400] }],
        ] as const
      ).map(([what, own]) => ({
        name: `${name}, ${what}`,
        enforced: { ...enforced, ...own },
        seconds: SECONDS,
        isGiven: false,
        looks: [{ what: "last half", from: SECONDS / 2, until: SECONDS, times: 1 }],
      })),
    ),
};

function row(
  name: string,
  { requests, windowMs, kind }: Enforced,
  { arrivals, asked, charged }: Driven,
  look: Case["looks"][number],
): string {
  const seconds = arrivals.slice(look.from, look.until);
  const sum = (what: keyof Arrivals) => seconds.reduce((total, second) => total + second[what], 0);
  const taken = sum("taken") + sum("failed");
  const share = (100 * sum("refused")) / Math.max(1, taken + sum("refused"));
  const perWindow = requests * look.times;
  const most = ((look.until - look.from) * 1_000 * perWindow) / windowMs;
  const reachable = 0.98 * most * (kind === "bucket" ? 1 : (perWindow - 1) / perWindow);
  return `| ${name} | ${look.what} | ${(taken / most).toFixed(3)} | ${(taken / reachable).toFixed(3)} | ${share.toFixed(2)} % | ${charged} of ${asked} |`;
}

process.stdout.write(
  "| quota | when | of the quota | of what is reachable | 429s | events charged for a 429, all the run |\n| --- | --- | --- | --- | --- | --- |\n",
);
const cases = (sets[set] ?? []).filter(({ name }) => name.includes(filter));
const pictures: string[] = [];
let next = 0;
await Promise.all(
  Array.from({ length: AT_ONCE }, async () => {
    for (let at = cases[next++]; at !== undefined; at = cases[next++]) {
      const { name, enforced, seconds, isGiven, looks } = at;
      const driven = await drive(enforced, seconds, isGiven ? enforced : undefined);
      for (const look of looks) process.stdout.write(`${row(name, enforced, driven, look)}\n`);
      pictures.push(picture(name, enforced, driven.arrivals));
      if (driven.lost > 0) process.stdout.write(`${name}: ${driven.lost} of ${driven.asked} questions were lost\n`);
    }
  }),
);
const { PICTURES } = process.env;
if (PICTURES !== undefined) await writeFile(PICTURES, report(pictures));
