import { expect, test } from "vitest";
import { bitcoinOfCashAddress, isCashAddressForm } from "../../../../src/chains/bitcoin/cash-address.ts";

// Source: the table of examples in the CashAddr specification.
test.each([
  ["bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a", "1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu"],
  ["bitcoincash:qr95sy3j9xwd2ap32xkykttr4cvcu7as4y0qverfuy", "1KXrWXciRDZUpQwQmuM1DbwsKDLYAYsVLR"],
  ["qqq3728yw0y47sqn6l2na30mcw6zm78dzqre909m2r", "16w1D5WRVKJuZUsSRzdLp9w3YGcgoxDXb"],
  ["bitcoincash:ppm2qsznhks23z7629mms6s4cwef74vcwvn0h829pq", "3CWFddi6m4ndiGyKqzYvsFYagqDLPVMTzC"],
  ["PR95SY3J9XWD2AP32XKYKTTR4CVCU7AS4YC93KY28E", "3LDsS579y7sruadqu11beEJoTjdFiFCdX4"],
])("%s is %s on Bitcoin", (cash, bitcoin) => {
  expect(isCashAddressForm(cash)).toBe(true);
  expect(bitcoinOfCashAddress(cash)).toEqual({ ok: true, value: bitcoin });
});

test.each([
  ["qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6q", "CashAddr checksum does not match: a character is wrong or missing"],
  ["qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6A", "mixes upper and lower case"],
  ["1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu", "mixes upper and lower case"],
  ["qpm2", "must have 42 characters from q or p"],
])("%s is refused: %s", (cash, detail) => {
  expect(bitcoinOfCashAddress(cash)).toEqual({ ok: false, detail });
});
