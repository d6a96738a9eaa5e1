/** A type of the contract ABI. Only the types that the known signatures use are covered. */
export type AbiType =
  | { readonly is: "uint"; readonly bits: number }
  | { readonly is: "address" | "bool" | "bytes" }
  /** The types bytes1 to bytes32, each in a word of its own. */
  | { readonly is: "word" }
  | { readonly is: "tuple"; readonly members: readonly AbiType[] }
  | { readonly is: "list"; readonly of: AbiType };

/**
 * The name and the argument types of a signature such as `transfer(address,uint256)`. Signatures are literals of this
 * program, so an unreadable signature is a bug.
 *
 * @throws {Error} when the text is not a signature.
 */
export function readSignature(text: string): { readonly name: string; readonly inputs: AbiType } {
  const open = text.indexOf("(");
  const [inputs, end] = readType(text, open);
  if (open < 1 || end !== text.length) throw new Error(`not a signature: ${text}`);
  return { name: text.slice(0, open), inputs };
}

/** Whether a value stands behind the other values of its tuple, at an offset. */
export function isDynamic(type: AbiType): boolean {
  if (type.is === "tuple") return type.members.some(isDynamic);
  return type.is === "bytes" || type.is === "list";
}

/** The number of words that a value takes in the head. A dynamic value takes one word, its offset. */
export function headWords(type: AbiType): number {
  if (type.is !== "tuple" || isDynamic(type)) return 1;
  return type.members.reduce((sum, member) => sum + headWords(member), 0);
}

/** The type that begins at `from`, and the index of its end. */
function readType(text: string, from: number): readonly [AbiType, number] {
  let [type, at] = text.charAt(from) === "(" ? readTuple(text, from) : readPlain(text, from);
  for (; text.startsWith("[]", at); at += 2) type = { is: "list", of: type };
  return [type, at];
}

function readTuple(text: string, from: number): readonly [AbiType, number] {
  const members: AbiType[] = [];
  let at = from + 1;
  while (text.charAt(at) !== ")") {
    const [member, end] = readType(text, at);
    members.push(member);
    at = text.charAt(end) === "," ? end + 1 : end;
    if (at > text.length) break;
  }
  return [{ is: "tuple", members }, at + 1];
}

function readPlain(text: string, from: number): readonly [AbiType, number] {
  const [name = ""] = /^[a-z]+\d*/.exec(text.slice(from)) ?? [];
  const end = from + name.length;
  if (name === "address" || name === "bool" || name === "bytes") return [{ is: name }, end];
  // Text is read as bytes; the characters are not decoded.
  if (name === "string") return [{ is: "bytes" }, end];
  const [, bits] = /^uint(\d+)$/.exec(name) ?? [];
  if (bits !== undefined) return [{ is: "uint", bits: Number(bits) }, end];
  if (/^bytes\d+$/.test(name)) return [{ is: "word" }, end];
  throw new Error(`not an ABI type: ${text.slice(from)}`);
}
