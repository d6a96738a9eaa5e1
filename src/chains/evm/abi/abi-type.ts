/** A type of the contract ABI. Fixed-point numbers and function pointers are not covered. */
export type AbiType =
  | { readonly is: "uint" | "int"; readonly bits: number }
  | { readonly is: "address" | "bool" | "bytes" | "string" }
  /** The types bytes1 to bytes32, each in a word of its own. */
  | { readonly is: "word" }
  | {
      readonly is: "tuple";
      readonly members: readonly AbiType[];
      /** The names of the members. Empty text for a member without a name. */
      readonly names: readonly string[];
    }
  | { readonly is: "list"; readonly of: AbiType };

/**
 * The name and the argument types of a signature such as `transfer(address,uint256)`. Arguments may have names:
 * `transfer(address recipient,uint256)`. Signatures are literals of this program, so an unreadable signature is a bug.
 *
 * @throws {Error} when the text is not a signature.
 */
export function readSignature(text: string): { readonly name: string; readonly inputs: TupleType } {
  const open = text.indexOf("(");
  const [inputs, end] = readTuple(text, open);
  if (open < 1 || end !== text.length) throw new Error(`not a signature: ${text}`);
  return { name: text.slice(0, open), inputs };
}

/** A signature without the names of its arguments, as the selector hashes it. */
export function canonicalSignature(text: string): string {
  return text.replace(/ \w+/g, "");
}

/** Whether a value stands behind the other values of its tuple, at an offset. */
export function isDynamic(type: AbiType): boolean {
  if (type.is === "tuple") return type.members.some(isDynamic);
  return type.is === "bytes" || type.is === "string" || type.is === "list";
}

/** The number of words that a value takes in the head. A dynamic value takes one word, its offset. */
export function headWords(type: AbiType): number {
  if (type.is !== "tuple" || isDynamic(type)) return 1;
  return type.members.reduce((sum, member) => sum + headWords(member), 0);
}

/** The type that begins at `from`, and the index of its end. */
function readType(text: string, from: number): readonly [AbiType, number] {
  let [type, at] = text.charAt(from) === "(" ? readTuple(text, from) : readPlain(text, from);
  for (let suffix = suffixAt(text, at); suffix !== undefined; suffix = suffixAt(text, at)) {
    const [whole = "", size = ""] = suffix;
    type = size === "" ? { is: "list", of: type } : repeated(type, Number(size));
    at += whole.length;
  }
  return [type, at];
}

/** The brackets of an array, such as `[]` or `[8]`. */
function suffixAt(text: string, at: number): RegExpExecArray | undefined {
  return /^\[(\d*)\]/.exec(text.slice(at)) ?? undefined;
}

/** An array with a fixed number of values stands in calldata as a tuple does. */
function repeated(type: AbiType, times: number): AbiType {
  return { is: "tuple", members: new Array<AbiType>(times).fill(type), names: new Array<string>(times).fill("") };
}

export type TupleType = Extract<AbiType, { readonly is: "tuple" }>;

function readTuple(text: string, from: number): readonly [TupleType, number] {
  const members: AbiType[] = [];
  const names: string[] = [];
  let at = from + 1;
  while (text.charAt(at) !== ")") {
    const [member, end] = readType(text, at);
    const [, name = ""] = /^ (\w+)/.exec(text.slice(end)) ?? [];
    members.push(member);
    names.push(name);
    at = name === "" ? end : end + 1 + name.length;
    if (text.charAt(at) === ",") at++;
    else if (text.charAt(at) !== ")") throw new Error(`not a signature: ${text}`);
  }
  return [{ is: "tuple", members, names }, at + 1];
}

function readPlain(text: string, from: number): readonly [AbiType, number] {
  const [name = ""] = /^[a-z]+\d*/.exec(text.slice(from)) ?? [];
  const end = from + name.length;
  if (name === "address" || name === "bool" || name === "bytes" || name === "string") return [{ is: name }, end];
  const [, sign, bits = "256"] = /^(u?int)(\d+)?$/.exec(name) ?? [];
  if (sign === "uint" || sign === "int") return [{ is: sign, bits: Number(bits) }, end];
  if (/^bytes\d+$/.test(name)) return [{ is: "word" }, end];
  throw new Error(`not an ABI type: ${text.slice(from)}`);
}
