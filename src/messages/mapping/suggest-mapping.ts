import { byLikelihood, likelyField } from "./likely-field.ts";
import { MAPPING_SCHEMA } from "./mapping-schema.ts";

/** The fields of a suggestion, in its order, with what to write where no name was recognised. */
const fields = [
  ["chain_id", 'No name speaks of a chain. Write {value: "1"} for a file of one chain, or give --chain.'],
  ["address", "No name speaks of the address to screen. Write the name of its column here."],
  ["user_addresses", "Addresses that the user owns or has paid before. Without them only labels are compared."],
  ["token_address", undefined],
  ["id", undefined],
  ["tenant", undefined],
  ["occurred_at", undefined],
] as const;

/** Names of the two ends of a payment. */
const sender = /(?:^|[/_\s-])(?:from|sender|source)(?:$|[_\s-]|addr)/i;
const receiver = /(?:^|[/_\s-])(?:to|txto|recipient|receiver|destination)(?:$|[_\s-]|addr)/i;

/**
 * A mapping to start from, as YAML with comments.
 *
 * @param names columns of a CSV, or JSON pointers. @param presets that fit the file.
 */
export function suggestMapping(names: readonly string[], presets: readonly string[]): string {
  const byField = new Map<string, string[]>();
  for (const name of names) {
    const field = likelyField(name);
    if (field !== undefined) byField.set(field, [...(byField.get(field) ?? []), name]);
  }
  const read = new Set([...byField.values()].flat());
  const [from] = byField.get("user_addresses")?.filter((name) => sender.test(name)) ?? [];
  const [to] = byField.get("address")?.filter((name) => receiver.test(name)) ?? [];
  const [time] = byField.get("occurred_at") ?? [];
  const unread = names.filter((name) => !read.has(name));
  return [
    ...presets.map((preset) => `# The preset ${preset} fits this file: --preset ${preset}`),
    "# Check each line, and then: weir map check FILE --map THIS.yaml",
    `schema: ${MAPPING_SCHEMA}`,
    "fields:",
    ...fields.flatMap(([field, advice]) => fieldLines(field, byLikelihood(byField.get(field) ?? []), advice)),
    ...(from === undefined || to === undefined
      ? []
      : [
          "# For an export about one wallet, take this in place of address and user_addresses, and give --wallet:",
          `# transfer: { from: ${scalar(from)}, to: ${scalar(to)}${time === undefined ? "" : `, time: ${scalar(time)}`} }`,
        ]),
    ...(unread.length === 0
      ? []
      : [
          "# These names are not read. Name those with addresses that do not matter:",
          `# ignore: [${unread.map(scalar).join(", ")}]`,
        ]),
    "",
  ].join("\n");
}

function fieldLines(field: string, names: readonly string[], advice: string | undefined): readonly string[] {
  const [first, ...others] = names;
  if (first === undefined) return advice === undefined ? [] : [`  # ${field}: ${advice}`];
  const more = others.length === 0 ? "" : ` # or ${others.join(", ")}`;
  return [`  ${field}: ${scalar(first)}${more}`];
}

/** A name as a scalar of YAML. */
function scalar(name: string): string {
  return /^[A-Za-z/_][\w/ ]*$/.test(name) && !/^(?:true|false|null|yes|no|on|off)$/i.test(name)
    ? name
    : JSON.stringify(name);
}
