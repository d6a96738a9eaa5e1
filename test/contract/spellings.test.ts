/**
 * Field names in camelCase, in snake_case and under the named aliases, at every level of every request. They follow the
 * section "Conventions" of the service's interface. Source: docs/decisions/0001-open-points.md, which lists the open
 * points of the interface.
 */
import { describe, expect, test } from "vitest";
import type { RouteName } from "../../src/api/routes.ts";
import { mismatchOf } from "../support/service.ts";
import { changedAt, objectPaths, type Path, shown } from "./paths.ts";
import { received, recordedCall } from "./recorded.ts";
import { requests } from "./samples.ts";

/** Every documented request field with another spelling, written by hand. */
const otherSpellings: Readonly<Record<string, readonly string[]>> = {
  sol_transactions: ["solTransactions", "transactions"],
  requested_items: ["requestedItems"],
  balance_changes: ["balanceChanges"],
  involved_address_risks: ["involvedAddressRisks"],
  feePayer: ["fee_payer"],
  programId: ["program_id"],
  isSigner: ["is_signer"],
  isWritable: ["is_writable"],
  chainId: ["chain_id"],
  dapp_url: ["dappUrl"],
  tron_transactions: ["tronTransactions"],
  raw_data: ["rawData"],
  type_url: ["typeUrl"],
  owner_address: ["ownerAddress"],
  contract_address: ["contractAddress"],
  call_value: ["callValue"],
  call_token_value: ["callTokenValue"],
  token_id: ["tokenId"],
  permission_name: ["permissionName"],
  ref_block_bytes: ["refBlockBytes"],
  ref_block_hash: ["refBlockHash"],
  fee_limit: ["feeLimit"],
  txID: ["tx_id"],
  raw_data_hex: ["rawDataHex"],
  chain_id: ["chainId"],
  user_address: ["userAddress"],
  token_address: ["tokenAddress"],
  token_symbol: ["tokenSymbol"],
  token_name: ["tokenName"],
  user_addresses: ["userAddresses"],
  authorization_list: ["authorizationList"],
  target_addresses: ["targetAddresses"],
  token_addresses: ["tokenAddresses"],
};
/** Every documented request field with one spelling only. */
const onlySpelling = [
  ..."transaction encoding name instructions keys data pubkey address wait strict simulate contract type".split(" "),
  ..."parameter value from to owner witness actives threshold weight operations expiration timestamp visible".split(
    " ",
  ),
];

interface Field {
  readonly route: RouteName;
  readonly at: Path;
  readonly field: string;
}

const fields: readonly Field[] = Object.entries(requests).flatMap(([route, request]) =>
  objectPaths(request).flatMap((at) =>
    Object.keys(valueAt(request, at)).map((field) => ({ route: route as RouteName, at, field })),
  ),
);
const cases = fields.flatMap(({ route, at, field }) =>
  (otherSpellings[field] ?? []).map((name) => ({ route, at, field, name, where: shown([...at, field]) })),
);

function valueAt(value: unknown, path: Path): object {
  return Object(path.reduce((inner, step) => Reflect.get(Object(inner), step), value));
}

test("the tables of spellings have every field of the samples", () => {
  const known = new Set([...Object.keys(otherSpellings), ...onlySpelling]);

  expect(fields.filter(({ field }) => !known.has(field))).toEqual([]);
  expect(cases.length).toBeGreaterThan(40);
});

describe.each(cases)("$where of $route", ({ route, at, field, name }) => {
  test(`the field may be written ${name}`, async () => {
    const renamed = changedAt(requests[route], at, (members) =>
      members.map(([known, value]) => [known === field ? name : known, value]),
    );

    expect(await received(route, renamed)).toEqual(await received(route, requests[route]));
  });

  test(`the field may be given as ${name} as well, when both are equal`, async () => {
    const twice = changedAt(requests[route], at, (members) => [
      ...members.filter(([known]) => known === field).map(([, value]) => [name, value] as const),
      ...members,
    ]);

    expect(await received(route, twice)).toEqual(await received(route, requests[route]));
  });

  test(`the field is refused when it differs from ${name}`, async () => {
    const twice = changedAt(requests[route], at, (members) => [...members, [name, "something else"]]);

    const { answered, reached } = await recordedCall(route, twice);

    expect(reached).toBeUndefined();
    expect(answered).toMatchObject(
      mismatchOf(route, `${shown([...at, field])}: given twice with different values, as ${field} and ${name}`),
    );
  });
});

test("both aliases of one field are compared with each other", async () => {
  const { sol_transactions: list, ...rest } = requests.solanaEmulate as { sol_transactions: unknown[] };

  const { answered } = await recordedCall("solanaEmulate", { ...rest, solTransactions: list, transactions: [] });

  expect(answered).toMatchObject(
    mismatchOf(
      "solanaEmulate",
      "sol_transactions: given twice with different values, as solTransactions and transactions",
    ),
  );
});

describe.each(Object.keys(requests) as RouteName[])("a request of %s in which", (route) => {
  const respelled = (spell: (field: string) => string) =>
    objectPaths(requests[route])
      .toReversed()
      .reduce<unknown>(
        (request, at) => changedAt(request, at, (members) => members.map(([field, value]) => [spell(field), value])),
        requests[route],
      );

  test.each([
    ["every field is spelled otherwise", (field: string) => otherSpellings[field]?.at(-1) ?? field],
    [
      "every field is camelCase",
      (field: string) => (field.includes("_") ? (otherSpellings[field]?.[0] ?? field) : field),
    ],
    [
      "every field is snake_case",
      (field: string) => (field.includes("_") ? field : (otherSpellings[field]?.[0] ?? field)),
    ],
  ])("%s is the same request", async (_what, spell) => {
    expect(await received(route, respelled(spell))).toEqual(await received(route, requests[route]));
  });
});

test.each(["Chain_Id", "CHAIN_ID", "chainID", "chain-id", "chainid", "ChainId"])(
  "%s is no spelling of chain_id",
  async (name) => {
    const { chain_id, ...rest } = requests.poisoningSingle;

    const { answered } = await recordedCall("poisoningSingle", { ...rest, [name]: chain_id });

    expect(answered).toMatchObject(mismatchOf("poisoningSingle", "chain_id: field required"));
  },
);
