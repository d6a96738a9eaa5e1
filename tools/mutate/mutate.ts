/**
 * Measures whether the tests notice changes. It changes the sources of the worker's core in one small place at a time
 * (a mutant). For each mutant it runs the tests of that file, then the simulation, on a copy of the tree. A mutant
 * without a failing test survives. Exit status 1 when a group kills fewer than its bound.
 *
 *   node tools/mutate/mutate.ts [--files glob] [--lines 12,40] [--sample N --seed S] [--min 85] [--workers 2] [--list]
 *
 * `--sample` takes N mutants of each group, at random; `--lines` those of these lines. A test run that hangs counts as
 * killed, and is named. Runs on Linux, which distinguishes a hang from a busy machine.
 */
import { spawn } from "node:child_process";
import {
  cpSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { type Equivalent, equivalent } from "./equivalent.ts";
import { type Group, groups } from "./groups.ts";

const simulation = ["test/simulation/simulation.test.ts"];
/** Few runs of each property: most mutants fail the first run, and there are many mutants. */
const settings = { FC_RUNS: "4" };
/** Seeds of the simulation only: a seed of some properties is minutes of a simulated day. */
const SEEDS = "300";
/** A hang by processor time: more than this, and more than the multiple of the unchanged sources. */
const HANG = { ms: 4_000, times: 4 } as const;
/** A hang by idleness: no work for this long means a wait for an event that never comes. The tests wait for less. */
const IDLE_MS = 4_000;
const LOOK_MS = 250;

interface Token {
  readonly kind: "word" | "number" | "string" | "template" | "regex" | "mark";
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

interface Mutant {
  readonly group: Group;
  readonly file: string;
  readonly line: number;
  readonly before: string;
  readonly after: string;
  readonly source: string;
  /** Number of the mutant among those with these lines in the file; the first is 1. */
  readonly nth: number;
}

interface Change {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const MARKS =
  />>>=|\.\.\.|===|!==|\*\*=|<<=|>>=|&&=|\|\|=|\?\?=|=>|==|!=|<=|>=|&&|\|\||\?\?|\?\.|\+\+|--|[-+*/%&|^]=|\*\*|[-+*/%=<>!?:;,.(){}[\]&|^~@]/y;
const WORD = /[#\p{ID_Start}_$][\p{ID_Continue}$]*/uy;
const NUMBER = /\d[\w.]*/y;
const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/y;
const BLANK = /(?:\s|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const REGEX = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/\w*/y;
const TEXT = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;

/** A light tokenizer: enough to separate code from comments, strings and the text of templates. */
function tokensOf(source: string): readonly Token[] {
  const tokens: Token[] = [];
  /** Open braces. A brace of a template returns to text when it closes. */
  const braces: ("code" | "template")[] = [];
  let at = 0;
  const eat = (pattern: RegExp, kind: Token["kind"]): boolean => {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text === undefined) return false;
    tokens.push({ kind, text, start: at, end: at + text.length });
    at += text.length;
    return true;
  };
  /** Moves from behind "`" or "}" to behind "`" or "${". */
  const eatText = () => {
    eat(TEXT, "template");
    if (source[at] === "`") at++;
    else {
      at += 2;
      braces.push("template");
    }
  };
  while (at < source.length) {
    BLANK.lastIndex = at;
    const blank = BLANK.exec(source)?.[0];
    if (blank !== undefined) at += blank.length;
    else if (source[at] === "`") {
      at++;
      eatText();
    } else if (source[at] === "}" && braces.pop() === "template") {
      at++;
      eatText();
    } else {
      const last = tokens.at(-1);
      const isOperand = last !== undefined && (last.kind !== "mark" || [")", "]", "}"].includes(last.text));
      const isEaten =
        (!isOperand && eat(REGEX, "regex")) ||
        eat(WORD, "word") ||
        eat(NUMBER, "number") ||
        eat(STRING, "string") ||
        eat(MARKS, "mark");
      if (!isEaten) throw new Error(`cannot read ${JSON.stringify(source.slice(at, at + 20))}`);
      if (tokens.at(-1)?.text === "{") braces.push("code");
    }
  }
  return tokens;
}

const SWAPS: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
  "++": "--",
  "--": "++",
  "+=": "-=",
  "-=": "+=",
  true: "false",
  false: "true",
  some: "every",
  every: "some",
  min: "max",
  max: "min",
};
const OPENING = ["(", "[", "{"];
const CLOSING = [")", "]", "}"];
/** Beginnings of statements that must not be left out. */
const KEPT =
  /^(const|let|if|for|while|switch|case|default|try|catch|finally|else|do|class|function|export|import|async|static|get|set|readonly|private|constructor|interface|type|satisfies|as)$/;

/** Every change to try in one source. */
function changesOf(source: string): readonly Change[] {
  const tokens = tokensOf(source);
  const text = (i: number) => tokens[i]?.text ?? "";
  const token = (i: number) => tokens[i] as Token;
  const replace = (i: number, by: string): Change => ({ start: token(i).start, end: token(i).end, text: by });
  /** Index of the bracket that closes the one at `i`. */
  const closeOf = (i: number): number => {
    let depth = 0;
    for (let at = i; at < tokens.length; at++) {
      if (token(at).kind !== "mark") continue;
      if (OPENING.includes(text(at))) depth++;
      if (CLOSING.includes(text(at)) && --depth === 0) return at;
    }
    return tokens.length;
  };
  /** Index of the first `;` from `i` on at its depth; undefined where a block ends first. */
  const semicolonFrom = (i: number): number | undefined => {
    for (let at = i; at < tokens.length; at++) {
      if (OPENING.includes(text(at))) at = closeOf(at);
      else if (CLOSING.includes(text(at))) return undefined;
      else if (text(at) === ";") return at;
    }
    return undefined;
  };
  const isSkipped = new Set<number>();
  const skip = (from: number, to: number) => {
    for (let at = from; at <= to; at++) isSkipped.add(at);
  };
  /** Headers of if and while end where a statement begins. Members of a class are no statements. */
  const headers = new Set<number>();
  const members = new Set<number>();
  for (let i = 0; i < tokens.length; i++) {
    const isFirst = i === 0 || [";", "}", "export", "declare"].includes(text(i - 1));
    if (text(i) === "interface" && isFirst) skip(i, closeOf(tokens.findIndex((_, at) => at > i && text(at) === "{")));
    if (["import", "type"].includes(text(i)) && isFirst && text(i + 1) !== ":") skip(i, semicolonFrom(i) ?? i);
    if (/^(if|while|for)$/.test(text(i)) && text(i + 1) === "(") headers.add(closeOf(i + 1));
    if (text(i) === "for") for (let at = i + 1; at < closeOf(i + 1); at++) members.add(at);
    if (text(i) === "class") {
      const body = tokens.findIndex((_, at) => at > i && text(at) === "{");
      for (let at = body + 1; at < closeOf(body); at++) {
        members.add(at);
        if (OPENING.includes(text(at))) at = closeOf(at);
      }
    }
    if (text(i) === "log" && /^(info|warn|error)$/.test(text(i + 2))) {
      let from = i;
      while (from > 0 && (text(from - 1) === "." || token(from - 1).kind === "word") && text(from - 1) !== "else")
        from--;
      skip(from, closeOf(i + 3) + 1);
    }
  }

  const changes: Change[] = [];
  for (let i = 0; i < tokens.length; i++) {
    if (isSkipped.has(i)) continue;
    const { kind, start, end } = token(i);
    const [last, here, next] = [text(i - 1), text(i), text(i + 1)];
    const isSpaced = /\s/.test(source[start - 1] ?? "") && /\s/.test(source[end] ?? "");
    const isValueBefore = token(i - 1)?.kind !== "mark" || CLOSING.includes(last);
    const swapped = Object.hasOwn(SWAPS, here) ? SWAPS[here] : undefined;
    if (swapped !== undefined && kind !== "string") {
      const isWord = kind === "word";
      const isCalled = last === "." || last === "?.";
      if (isWord ? /^(true|false)$/.test(here) || isCalled : isSpaced || here === "++" || here === "--")
        changes.push(replace(i, swapped));
    }
    if ((here === "+" || here === "-") && isSpaced && isValueBefore) changes.push(replace(i, here === "+" ? "-" : "+"));
    if (kind === "number" && !(last === "[" && text(i - 2) === ">")) {
      const value = Number(here.replaceAll("_", ""));
      changes.push(replace(i, value === 1 ? "0" : String(value + 1)));
    }
    if (kind === "string" && isCode(i)) changes.push(replace(i, '""'));
    if (/^(if|while)$/.test(here) && next === "(") {
      const close = closeOf(i + 1);
      if (!isSwap(i + 2, close)) changes.push(negated(token(i + 1).end, token(close).start));
    }
    if (here === "?" && next !== ":" && next !== ")") {
      const from = conditionOf(i);
      if (!isSwap(from, i)) changes.push(negated(token(from).start, token(i - 1).end));
    }
    const isStatement =
      (["{", "}", ";", "else"].includes(last) || headers.has(i - 1)) && !members.has(i) && !KEPT.test(here);
    const until = isStatement && (kind === "word" || here === "++") && next !== ":" ? semicolonFrom(i) : undefined;
    if (until === undefined) continue;
    const isValue = here === "return" && !/^(;|undefined|false)$/.test(next);
    changes.push({ start, end: token(until).end, text: isValue ? "return undefined;" : ";" });
  }
  return changes;

  /** Whether a condition is one equality: swapping its operator already negates it. */
  function isSwap(from: number, to: number): boolean {
    const marks = tokens.slice(from, to).filter(({ kind }) => kind === "mark");
    return (
      marks.some(({ text }) => /^[!=]==$/.test(text)) && !marks.some(({ text }) => /^(&&|\|\||\?\?|=>)$/.test(text))
    );
  }

  function negated(from: number, to: number): Change {
    return { start: from, end: to, text: `!(${source.slice(from, to)})` };
  }

  /** The start of the condition of the `?` at `i`. */
  function conditionOf(i: number): number {
    for (let at = i - 1; at >= 0; at--) {
      if (token(at).kind === "template") return at + 1;
      if (CLOSING.includes(text(at))) {
        let depth = 1;
        while (depth > 0) {
          at--;
          if (CLOSING.includes(text(at))) depth++;
          if (OPENING.includes(text(at))) depth--;
        }
      } else if (/^([=([{,:?;]|=>|\.\.\.|[-+]=|return|throw)$/.test(text(at))) return at + 1;
    }
    return 0;
  }

  /** Whether code depends on a string: it is no message, no name of a field, and no type. */
  function isCode(i: number): boolean {
    const [last, here, next] = [text(i - 1), text(i), text(i + 1)];
    if (here.length === 2 || /\s/.test(here) || last === "|" || next === "|" || next === ">" || last === "as")
      return false;
    if (next === ":" && (last === "{" || last === ",")) return false;
    return !(last === "[" && next === "]" && /^([A-Z][a-z]\w*|\])$/.test(text(i - 2)));
  }
}

function mutantsOf(group: Group, file: string): Mutant[] {
  const original = readFileSync(path.join(root, file), "utf8");
  const seen = new Set<string>();
  const times = new Map<string, number>();
  return changesOf(original).flatMap(({ start, end, text }) => {
    const source = original.slice(0, start) + text + original.slice(end);
    if (seen.has(source) || !isReadable(source)) return [];
    seen.add(source);
    const from = original.lastIndexOf("\n", start - 1) + 1;
    const to = (whole: string, at: number) => (whole.indexOf("\n", at) + whole.length + 1) % (whole.length + 1);
    const before = original.slice(from, to(original, end)).trim();
    const after = source.slice(from, to(source, start + text.length)).trim();
    const nth = (times.get(before + after) ?? 0) + 1;
    times.set(before + after, nth);
    return [{ group, file, line: original.slice(0, start).split("\n").length, before, after, source, nth }];
  });
}

/** A mutant with a syntax error tells nothing about the tests. */
function isReadable(source: string): boolean {
  try {
    stripTypeScriptTypes(source);
    return true;
  } catch {
    return false;
  }
}

/**
 * The processor time of a process, from Linux, and whether all its threads wait. Wall time would count a slow run on a
 * busy machine as a hang.
 */
function usedBy(pid: number | undefined): { readonly ms: number; readonly isWaiting: boolean } | undefined {
  try {
    const fieldsOf = (stat: string) => stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [user, system] = fieldsOf(readFileSync(`/proc/${pid}/stat`, "utf8"))
      .slice(11, 13)
      .map(Number);
    const threads = readdirSync(`/proc/${pid}/task`).map((id) => readFileSync(`/proc/${pid}/task/${id}/stat`, "utf8"));
    const isWaiting = threads.every((stat) => !/^[RD]$/.test(fieldsOf(stat)[0] ?? ""));
    return { ms: 10 * ((user ?? 0) + (system ?? 0)), isWaiting };
  } catch {
    // The process has ended, or one of its threads has.
    return undefined;
  }
}

/** A copy of the tree with one mutant at a time. */
class Copy {
  readonly folder = mkdtempSync(path.join(tmpdir(), "weir-mutants-"));

  constructor() {
    for (const part of ["src", "test", "data", "package.json", "tsconfig.json", "vitest.config.ts"])
      cpSync(path.join(root, part), path.join(this.folder, part), { recursive: true });
    symlinkSync(realpathSync(path.join(root, "node_modules")), path.join(this.folder, "node_modules"));
  }

  /** Whether the tests pass, and their processor time; "hang" after `ms` of that, or when they only wait. */
  run(
    tests: readonly string[],
    ms: number,
  ): Promise<{ readonly result: "pass" | "fail" | "hang"; readonly ms: number }> {
    const vitest = path.join(this.folder, "node_modules/vitest/vitest.mjs");
    const options = ["--project", "unit", "--bail", "1", "--maxWorkers=1", "--no-isolate", "--pool=threads"];
    const env = { ...process.env, ...settings, ...(tests === simulation ? { SEEDS } : {}) };
    const child = spawn(process.execPath, [vitest, "run", ...options, "--reporter=dot", ...tests], {
      cwd: this.folder,
      env,
      stdio: "ignore",
    });
    return new Promise((resolve) => {
      let [usedMs, idleMs] = [0, 0];
      const timer = setInterval(() => {
        const used = usedBy(child.pid);
        if (used === undefined) return;
        idleMs = used.isWaiting && used.ms - usedMs < LOOK_MS / 5 ? idleMs + LOOK_MS : 0;
        usedMs = used.ms;
        if (usedMs <= ms && idleMs < IDLE_MS) return;
        clearInterval(timer);
        resolve({ result: "hang", ms: usedMs });
        child.kill("SIGKILL");
      }, LOOK_MS);
      child.on("close", (status) => {
        clearInterval(timer);
        resolve({ result: status === 0 ? "pass" : "fail", ms: usedMs });
      });
    });
  }

  write(file: string, source: string): void {
    writeFileSync(path.join(this.folder, file), source);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

type Fate = "killed" | "hung" | "simulated" | "survived";

async function fateOf({ group, file, source }: Mutant, copy: Copy, limit: ReadonlyMap<string, number>): Promise<Fate> {
  const original = readFileSync(path.join(root, file), "utf8");
  copy.write(file, source);
  try {
    for (const tests of [...group.tests, simulation]) {
      const { result } = await copy.run(tests, limit.get(tests.join()) ?? HANG.ms);
      if (result === "hang") return "hung";
      if (result === "fail") return tests === simulation ? "simulated" : "killed";
    }
    return "survived";
  } finally {
    copy.write(file, original);
  }
}

/**
 * The limits of a hang, from a run of the unchanged sources. @throws when that run fails, since mutants would then tell
 * nothing.
 */
async function limitsOf(tested: readonly (readonly string[])[], copy: Copy): Promise<ReadonlyMap<string, number>> {
  const limits = new Map<string, number>();
  for (const tests of tested) {
    const { result, ms } = await copy.run(tests, 120_000);
    if (result !== "pass") throw new Error(`${tests.join(" ")}: ${result} without any mutant`);
    limits.set(tests.join(), Math.max(HANG.ms, HANG.times * ms));
  }
  return limits;
}

/** Mulberry32: equal seeds give equal samples. */
function sampleOf<T>(all: readonly T[], count: number, seed: number): readonly T[] {
  let state = seed;
  const random = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const drawn = all.map((each, at) => ({ each, at, place: random() })).toSorted((a, b) => a.place - b.place);
  return drawn
    .slice(0, count)
    .toSorted((a, b) => a.at - b.at)
    .map(({ each }) => each);
}

const root = path.resolve(import.meta.dirname, "../..");
const { values: options } = parseArgs({
  options: {
    files: { type: "string", default: "**" },
    lines: { type: "string" },
    sample: { type: "string", default: "Infinity" },
    seed: { type: "string", default: "1" },
    min: { type: "string", default: "85" },
    workers: { type: "string", default: "2" },
    list: { type: "boolean", default: false },
  },
});

const isSame = (mutant: Mutant, known: Equivalent) =>
  mutant.file === known.file &&
  mutant.before === known.before &&
  mutant.after === known.after &&
  mutant.nth === (known.nth ?? mutant.nth);
const isExcused = (mutant: Mutant) => equivalent.some((known) => isSame(mutant, known));
const lines = options.lines?.split(",").map(Number);
const isAskedFor = ({ line }: Mutant) => lines === undefined || lines.includes(line);
const all = groups.flatMap((group) =>
  globSync(group.files, { cwd: root })
    .map((file) => file.split(path.sep).join("/"))
    .filter((file) => !file.includes(".generated.") && path.matchesGlob(file, options.files))
    .sort()
    .flatMap((file) => mutantsOf(group, file)),
);
const of = (group: Group, mutants: readonly Mutant[]) => mutants.filter((mutant) => mutant.group === group);
for (const known of equivalent) {
  if (!path.matchesGlob(known.file, options.files) || all.some((mutant) => isSame(mutant, known))) continue;
  console.log(`no such mutant any more: ${known.file}: ${known.before} -> ${known.after}`);
}
const chosen = groups.flatMap((group) =>
  sampleOf(
    of(
      group,
      all.filter((mutant) => !isExcused(mutant) && isAskedFor(mutant)),
    ),
    Number(options.sample),
    Number(options.seed),
  ),
);

const show = ({ file, line, before, after }: Mutant) => `${file}:${line}\n  - ${before}\n  + ${after}`;
if (options.list) for (const mutant of chosen) console.log(show(mutant));
else await runAll();

async function runAll(): Promise<void> {
  const fates = new Map<Mutant, Fate>();
  const copies = Array.from({ length: Number(options.workers) }, () => new Copy());
  try {
    const used = groups.filter((group) => of(group, chosen).length > 0).flatMap(({ tests }) => tests);
    const limits = await limitsOf([...used, simulation], copies[0] as Copy);
    const left = [...chosen];
    const runOne = async (copy: Copy) => {
      for (let mutant = left.shift(); mutant !== undefined; mutant = left.shift()) {
        const fate = await fateOf(mutant, copy, limits);
        fates.set(mutant, fate);
        if (fate === "survived" || fate === "hung") console.log(`${fate}: ${show(mutant)}`);
        if (fates.size % 20 === 0) console.log(`${fates.size} of ${chosen.length} mutants`);
      }
    };
    await Promise.all(copies.map(runOne));
  } finally {
    for (const copy of copies) copy[Symbol.dispose]();
  }
  console.log("| group | mutants | tried | killed by tests | by a hang | by the simulation | survived | score |");
  console.log("| --- | --- | --- | --- | --- | --- | --- | --- |");
  for (const group of groups) {
    const tried = of(group, chosen);
    if (tried.length === 0) continue;
    const count = (fate: Fate) => tried.filter((mutant) => fates.get(mutant) === fate).length;
    const score = (100 * (tried.length - count("survived"))) / tried.length;
    const cells = [group.name, of(group, all).length, tried.length, count("killed"), count("hung"), count("simulated")];
    console.log(`| ${[...cells, count("survived"), `${score.toFixed(1)} %`].join(" | ")} |`);
    if (score < (group.min ?? Number(options.min))) process.exitCode = 1;
  }
}
