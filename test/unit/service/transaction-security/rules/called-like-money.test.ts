import { expect, test } from "vitest";
import { calledLikeMoney } from "../../../../../src/service/transaction-security/rules/called-like-money.ts";

test.each([
  "USDT",
  "usdt",
  "USD\u0422",
  "USD\u20AE",
  "USDT\u200B",
  "US DT",
  "U.S.D.T",
  "USDT.",
  "USDT-TRC20",
  "TRC20 USDT",
  "usdt.com",
  "Tether-USD",
  "Official USDC token",
  "USD Coin",
  "TRX ",
  "\u0422RX",
  "t r o n",
])("%j is", (name) => {
  expect(calledLikeMoney(name)).toBe(true);
});

test.each(["", " ", "USD", "USDTT", "JUSDT", "WTRX", "Tron Game", "BitTorrent", "coin", "TRC10 coin", "1002000", "_"])(
  "%j is not",
  (name) => {
    expect(calledLikeMoney(name)).toBe(false);
  },
);
