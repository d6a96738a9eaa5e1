import { posix } from "node:path";

/** A position where an object literal spreads a possible class instance, or a pattern takes the rest of one. */
export interface Spread {
  readonly file: string;
  readonly line: number;
  /** The spread expression, and its declared type. */
  readonly what: string;
}

/** One file: its code without texts, and the full names of types by their names in the file. */
interface Source {
  readonly file: string;
  readonly code: string;
  readonly fullName: (name: string) => string;
}

/** @param texts by file, with paths from one folder. */
export function classSpreads(texts: ReadonlyMap<string, string>): readonly Spread[] {
  const sources = Array.from(texts, ([file, text]): Source => {
    const imported = importsOf(file, text);
    return { file, code: bareCode(text), fullName: (name) => imported.get(name) ?? `${file}#${name}` };
  });
  const types = classTypes(sources);
  return sources.flatMap((source) => spreadsIn(source, types));
}

function importsOf(file: string, text: string): ReadonlyMap<string, string> {
  const imported = new Map<string, string>();
  for (const [, names = "", from = ""] of text.matchAll(/\bimport (?:type )?\{([^}]*)\} from "(\.[^"]*)"/g)) {
    const path = posix.join(posix.dirname(file), from);
    for (const each of names.split(",")) {
      const [name = "", as = name] = each
        .trim()
        .replace(/^type /, "")
        .split(" as ");
      imported.set(as, `${path}#${name}`);
    }
  }
  return imported;
}

/** Code with comments, texts and regular expressions as blanks, so that positions and lines stay. */
export function bareCode(text: string): string {
  const comment = /\/\*[\s\S]*?\*\/|\/\/[^\n]*/;
  const string = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/;
  const pattern = /(?<=[(,=:!&|?[]\s*|return )\/(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\n\\[])+\/[a-z]*/;
  const skipped = new RegExp(`${comment.source}|${string.source}|${pattern.source}`, "g");
  return text.replace(skipped, (found) => found.replace(/[^\n]/g, " "));
}

interface Shape {
  /** The types that it extends or implements. */
  readonly parents: readonly string[];
  /** Its members. For a class, the members on the prototype: a spread loses exactly these. */
  readonly members: readonly string[];
}

/**
 * Classes with accessors or methods; interfaces with a member that such a class has on its prototype; and aliases of
 * either.
 */
function classTypes(sources: readonly Source[]): ReadonlySet<string> {
  const classes = shapes(sources, /\bclass (\w+)([^{]*)\{/g, /^ {2}(?:get |async |\*)?(\w+)(?:<[^\n(]*>)?\([^\n]*$/gm);
  const interfaces = shapes(sources, /\binterface (\w+)([^{]*)\{/g, /^ {2}(?:readonly )?(\w+)\??[:(<]/gm);
  const types = new Set<string>();
  for (const [name, { parents, members }] of classes) {
    const lost = members.filter((member) => member !== "constructor");
    if (lost.length > 0) types.add(name);
    for (const each of ancestors(parents, interfaces)) {
      if (interfaces.get(each)?.members.some((member) => lost.includes(member))) types.add(each);
    }
  }
  for (let before = -1; before < types.size; ) {
    before = types.size;
    // Interfaces that inherit such a member from a parent.
    for (const [name, { parents }] of interfaces) if (parents.some((each) => types.has(each))) types.add(name);
    for (const { code, fullName } of sources) {
      for (const [, name = "", type = ""] of code.matchAll(/\btype (\w+)(?:<[^=]*>)? = ([^;{]*);/g)) {
        if (typeNamed(type, types, fullName) !== undefined) types.add(fullName(name));
      }
    }
  }
  return types;
}

function shapes(sources: readonly Source[], head: RegExp, member: RegExp): ReadonlyMap<string, Shape> {
  const found = sources.flatMap(({ code, fullName }) =>
    [...code.matchAll(head)].map(({ 0: all, 1: name = "", 2: clause = "", index }): [string, Shape] => {
      const open = index + all.length - 1;
      const body = code.slice(open, closing(code, open));
      const members = [...body.matchAll(member)].map(([, each = ""]) => each);
      return [fullName(name), { parents: parentsIn(clause).map(fullName), members }];
    }),
  );
  return new Map(found);
}

/** The names behind `extends` and `implements`, without their type arguments; `Partial<A>` is A. */
function parentsIn(clause: string): readonly string[] {
  const listed = clause
    .replace(/^\s*<[\s\S]*?>\s*(?=extends|implements|$)/, "")
    .split(/\b(?:extends|implements)\b/)
    .slice(1)
    .join(",");
  const bare = listed.replace(/\b(?:Partial|Readonly|Required|Pick|Omit)<(\w+)[^>]*>/g, "$1").replace(/<[^>]*>/g, "");
  return bare.match(/\b[A-Z]\w*/g) ?? [];
}

function ancestors(parents: readonly string[], interfaces: ReadonlyMap<string, Shape>): ReadonlySet<string> {
  const all = new Set<string>();
  const add = (name: string) => {
    if (all.has(name)) return;
    all.add(name);
    for (const each of interfaces.get(name)?.parents ?? []) add(each);
  };
  for (const each of parents) add(each);
  return all;
}

const WRAPPERS = /^(?:readonly\s+|Readonly<|Partial<|Required<|Pick<|Omit<)+/;

/** The class type that a value of `type` may have, if any: neither the type of a member, nor of a list of instances. */
function typeNamed(type: string, types: ReadonlySet<string>, fullName: Source["fullName"]): string | undefined {
  // The type is a list or a function.
  if (/\[\]\s*$|^\s*(?:readonly\s+)?\(/.test(type)) return undefined;
  for (const part of type.split(/[|&]/)) {
    const head = part.trim().replace(WRAPPERS, "");
    const [name = "", rest = ""] = [head.match(/^\w+/)?.[0], head.replace(/^\w+/, "")];
    if (types.has(fullName(name)) && !/^(?:<[^>]*>)?\s*\[/.test(rest) && !/=>/.test(type)) return name;
  }
  return undefined;
}

function spreadsIn(source: Source, types: ReadonlySet<string>): readonly Spread[] {
  const { file, code } = source;
  const found: Spread[] = [];
  for (const { index, 1: path = "" } of code.matchAll(/\.\.\.([\w#.?]+)/g)) {
    const open = enclosing(code, index);
    if (code[open] !== "{") continue;
    const close = closing(code, open);
    const rest = restSource(source, close);
    const type = rest === undefined ? typeOf(path, source, types) : rest(types);
    if (type !== undefined) {
      found.push({ file, line: code.slice(0, index).split("\n").length, what: `...${path}: ${type}` });
    }
  }
  return found;
}

/**
 * For a pattern, the value that it destructures: `{ a, ...rest }: Type` or `{ a, ...rest } = value`; undefined for a
 * literal.
 */
function restSource(source: Source, close: number): ((types: ReadonlySet<string>) => string | undefined) | undefined {
  const { code, fullName } = source;
  const behind = code.slice(close + 1, close + 300);
  const declared = /^\s*:\s*([^,)={;]*)/.exec(behind)?.[1];
  if (declared !== undefined) return (types) => typeNamed(declared, types, fullName);
  const value = /^\s*=\s*([\w#.?]+)\s*[;,)]/.exec(behind)?.[1];
  return value === undefined ? undefined : (types) => typeOf(value, source, types);
}

/**
 * The type by any declaration of the last name of `path` in the file, in any scope: `name: Type` or `name = new Type(`.
 */
function typeOf(path: string, { code, fullName }: Source, types: ReadonlySet<string>): string | undefined {
  const name = path.split(".").at(-1)?.replace("?", "") ?? "";
  if (name === "this") return "this";
  if (name === "") return undefined;
  const declared = new RegExp(
    `(?<![\\w#.])${name}[?!]?\\s*:\\s*([^,;)={]+)|(?<![\\w#.])${name}\\s*=\\s*new (\\w+)`,
    "g",
  );
  for (const [, type, made] of code.matchAll(declared)) {
    const named = typeNamed(type ?? made ?? "", types, fullName);
    if (named !== undefined) return named;
  }
  return undefined;
}

/** The position of the opening bracket around a position. */
function enclosing(code: string, from: number): number {
  let depth = 0;
  for (let at = from - 1; at >= 0; at--) {
    const character = code[at] ?? "";
    if (")]}".includes(character)) depth++;
    else if ("([{".includes(character) && depth-- === 0) return at;
  }
  return -1;
}

function closing(code: string, open: number): number {
  let depth = 0;
  for (let at = open; at < code.length; at++) {
    const character = code[at] ?? "";
    if ("([{".includes(character)) depth++;
    else if (")]}".includes(character) && --depth === 0) return at;
  }
  return code.length;
}
