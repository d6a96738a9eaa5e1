import { describe, expect, test } from "vitest";
import { TokenSecurityData } from "../../../../src/api/schemas/token-security.ts";
import { parseAddress } from "../../../../src/chains/address.ts";
import { LabelBook } from "../../../../src/service/labels/label-book.ts";
import type { TokenFacts } from "../../../../src/service/token-security/gather.ts";
import { render } from "../../../../src/service/token-security/render.ts";
import { tokenSecurityRule } from "../../../../src/worker/decide/findings/token/token-security.ts";
import { defaultPolicy } from "../../../fakes/events.ts";
import { subject as verdictSubject } from "../../../fakes/evidence.ts";

const text = "0x52908400098527886e0f7030069857d2e4169ee7";
const parsed = parseAddress("evm", text);
const address = parsed.ok ? parsed.value : expect.fail(parsed.detail);
const subject = { chain: { id: "1", name: "Ethereum", family: "evm" }, address, owner: undefined } as const;
const code = { none: new Uint8Array(), some: Uint8Array.of(0x60, 0x80) };

/** The facts about an address without any metadata. */
function factsOf(classification: "EOA" | "Empty" | "Precompile" | "Unverified", bytes: Uint8Array): TokenFacts {
  const account = { address, block: 1n, code: bytes, nonce: 0n, balance: 0n, proxy: undefined };
  return {
    account: { ...account, implementationCode: code.none, answers: new Map() },
    judgement: { classification, isErc20: false },
    verification: "unknown",
    told: { name: undefined, symbol: undefined, decimals: undefined, supply: undefined, owner: undefined },
    owner: undefined,
    pools: undefined,
    analysis: undefined,
    trade: {
      honeypot: "unknown",
      onlyOwnerSells: "unknown",
      sizeLimited: false,
      buyTax: undefined,
      transferTax: undefined,
      sellTax: undefined,
    },
    record: {},
  };
}

const rendered = (facts: TokenFacts) => render(facts, subject, LabelBook.of([]), 1_767_225_600_000);

describe.each(["EOA", "Empty", "Precompile"] as const)(
  "an address without code (%s) that is queried as a token",
  (what) => {
    const data = rendered(factsOf(what, code.none));

    test("the answer gives its classification, an unknown level and no numbers", () => {
      expect(data).toMatchObject({ address_type: what, overall_risk_level: "Unknown", overall_score: "" });
      expect(data.basic_info).toMatchObject({ token_name: "", token_symbol: "", token_decimals: "" });
      expect(TokenSecurityData.parse(data)).toEqual(data);
    });

    test("a worker that reads only the fields of the interface decides UNKNOWN", () => {
      const { unknown: _extra, ...shown } = data;
      expect(tokenSecurityRule(shown, { subject: verdictSubject, table: defaultPolicy.table })).toContainEqual(
        expect.objectContaining({ finding: "level_unknown", severity: "UNKNOWN" }),
      );
    });
  },
);

test("an unreadable contract has no level, and the level is listed as unknown", () => {
  const data = rendered(factsOf("Unverified", code.some));

  expect(data).toMatchObject({ address_type: "", overall_risk_level: "", overall_score: "" });
  expect(data.unknown).toEqual(expect.arrayContaining(["address_type", "overall_risk_level", "overall_score"]));
});
