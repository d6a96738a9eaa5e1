import { expect, test } from "vitest";
import { likelyField } from "../../../../src/messages/mapping/likely-field.ts";
import { suggestMapping } from "../../../../src/messages/mapping/suggest-mapping.ts";

test.each([
  ["To", "address"],
  ["To (Address)", "address"],
  ["destinationAddress", "address"],
  ["/data/destination_address", "address"],
  ["Recipient", "address"],
  ["FROM", "user_addresses"],
  ["Network", "chain_id"],
  ["Contract Address", "token_address"],
  ["Date(UTC)", "occurred_at"],
  ["withdrawal-id", "id"],
  ["Amount", undefined],
  ["type", undefined],
])("%s most likely means %s", (name, field) => {
  expect(likelyField(name)).toBe(field);
});

test("a suggestion is YAML with each recognised name, and names what it leaves unread", () => {
  expect(suggestMapping(["Network", "To", "From", "Time", "Fee (USD)"], ["dune"])).toBe(
    [
      "# The preset dune fits this file: --preset dune",
      "# Check each line, and then: weir map check FILE --map THIS.yaml",
      "schema: weir.mapping/1",
      "fields:",
      "  chain_id: Network",
      "  address: To",
      "  user_addresses: From",
      "  occurred_at: Time",
      "# For an export about one wallet, take this in place of address and user_addresses, and give --wallet:",
      "# transfer: { from: From, to: To, time: Time }",
      "# These names are not read. Name those with addresses that do not matter:",
      '# ignore: ["Fee (USD)"]',
      "",
    ].join("\n"),
  );
});

test("what no name speaks of is said", () => {
  expect(suggestMapping(["Amount"], [])).toContain(
    '  # chain_id: No name speaks of a chain. Write {value: "1"} for a file of one chain, or give --chain.',
  );
});

test("a network comes before an asset as the chain, whatever their order in the record", () => {
  const text = suggestMapping(["/asset", "/network", "/destination"], []);
  expect(text).toContain("  chain_id: /network # or /asset\n");
});
