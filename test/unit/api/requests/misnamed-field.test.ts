import { describe, expect, test } from "vitest";
import { misnamedAmong } from "../../../../src/api/requests/misnamed-field.ts";

const fields = ["id", "tenant", "chain_id", "user_addresses", "checks", "lane", "ref", "type", "address"];
const misnamed = misnamedAmong([...fields, "token_address", "user_address", "transaction"]);

describe("the field that was probably meant", () => {
  test.each([
    ["user_adresses", "user_addresses"],
    ["userAdresses", "user_addresses"],
    ["user_addresess", "user_addresses"],
    ["users_addresses", "user_addresses"],
    ["User_Addresses", "user_addresses"],
    ["user-addresses", "user_addresses"],
    ["user addresses", "user_addresses"],
    ["UserAddresses", "user_addresses"],
    ["user_addresses_2", "user_addresses"],
    ["user_adress", "user_address"],
    ["users", "user_addresses"],
    ["Users", "user_addresses"],
    ["knownAddresses", "user_addresses"],
    ["wallet", "user_addresses"],
    ["token", "token_address"],
    ["tokenAdress", "token_address"],
    ["contract_address", "token_address"],
    ["chain", "chain_id"],
    ["Network", "chain_id"],
    ["chainID", "chain_id"],
    ["chian_id", "chain_id"],
    ["addresses", "address"],
    ["target_address", "address"],
    ["adress", "address"],
    ["\u0430ddress", "address"],
    ["ID", "id"],
    ["Ref", "ref"],
    ["check", "checks"],
    ["lanes", "lane"],
    ["tenant_id", "tenant"],
    ["transactions", "transaction"],
  ])("%s: %s", (name, meant) => {
    expect(misnamed([name])).toEqual({ name, meant });
  });

  test("the first misspelled name is reported, and the others are ignored", () => {
    expect(misnamed(["id", "colour", "adress", "users"])).toEqual({ name: "adress", meant: "address" });
  });

  test("the most similar field is reported", () => {
    expect(misnamed(["user_adress"])).toEqual({ name: "user_adress", meant: "user_address" });
    expect(misnamed(["user_addressess"])).toEqual({ name: "user_addressess", meant: "user_addresses" });
  });
});

test.each([...fields, "chainId", "userAddresses", "tokenAddress", "userAddress"])("%s is a known name", (name) => {
  expect(misnamed([name])).toBeUndefined();
});

test.each([
  ["colour"],
  ["revision"],
  ["user_id"],
  ["username"],
  ["amount"],
  ["name"],
  ["rev"],
  ["uid"],
  ["line"],
  ["lang"],
  ["checksum"],
  ["transaction_id"],
  ["transactionId"],
  ["address_id"],
  ["user address id"],
  ["address_label"],
  ["time"],
  ["note"],
  ["__proto__"],
  ["constructor"],
  [""],
  ["42"],
  ["\u{1f600}"],
])("%j belongs to the producer", (name) => {
  expect(misnamed([name])).toBeUndefined();
});

test("a synonym of a field that this kind of event lacks belongs to the producer", () => {
  expect(misnamedAmong(["id", "transaction"])(["token", "users", "target"])).toBeUndefined();
});

test("a name at the size limit of an event is compared quickly", () => {
  expect(misnamed(["users".repeat(50_000)])).toBeUndefined();
  expect(misnamed([`users${".".repeat(250_000)}`])?.meant).toBe("user_addresses");
});
