import { describe, expect, test } from "vitest";
import { isRaised, tokenSecurityRule } from "../../../../../../src/worker/decide/findings/token/token-security.ts";
import { defaultPolicy } from "../../../../../fakes/events.ts";
import { clean, subject } from "../../../../../fakes/evidence.ts";

const { table } = defaultPolicy;
/** A clean answer without the extra that identifies Weir's own service. */
const vendorAnswer = clean.tokenSecurity;

interface Figures {
  readonly days?: string;
  readonly holders?: string;
  readonly ownerPercent?: string;
  readonly top1?: string;
  readonly top5?: string;
  readonly ownerType?: string;
}

/** A clean answer with these figures. `ours` adds the extra that identifies Weir's own service. */
function answer(
  { days = "", holders = "", ownerPercent = "", top1 = "", top5 = "", ownerType = "" }: Figures,
  ours = false,
) {
  const { basic_info, privileges } = vendorAnswer;
  return {
    ...vendorAnswer,
    ...(ours ? { unknown: [] } : {}),
    basic_info: { ...basic_info, days_deployed: days },
    privileges: { ...privileges, owner_type: ownerType },
    token_market: {
      holders_count: holders,
      owner_token_percent: ownerPercent,
      holders_concentration: { top1_eoa_concentration: top1, top5_eoa_concentration: top5 },
    },
  };
}
const found = (data: unknown) =>
  tokenSecurityRule(data, { subject, table })?.map(({ finding, severity }) => `${finding} ${severity}`);

describe("the figures of a token", () => {
  test.each<[Figures, readonly string[]]>([
    [{}, []],
    [{ days: "0" }, ["new_token INFO"]],
    [{ days: "6.9" }, ["new_token INFO"]],
    [{ days: "7" }, []],
    [{ days: "-1" }, []],
    [{ days: "young" }, []],
    [{ holders: "99" }, ["few_holders INFO"]],
    [{ holders: "100" }, []],
    [{ ownerPercent: "50" }, ["concentrated INFO"]],
    [{ ownerPercent: "49.99" }, []],
    [{ top1: "90", top5: "95" }, ["concentrated INFO", "concentrated INFO"]],
    [{ top5: "79" }, []],
    [{ ownerType: "EOA" }, ["owner_is_wallet INFO"]],
    [{ ownerType: "Externally Owned Account" }, ["owner_is_wallet INFO"]],
    [{ ownerType: "Contract" }, []],
  ])("%j", (figures, expected) => {
    expect(found(answer(figures))).toEqual(expected);
  });

  test("figures are percent for Weir's own service, and a share up to 1 of another service may be a fraction", () => {
    expect(found(answer({ top1: "0.6" }))).toEqual(["concentrated INFO"]);
    expect(found(answer({ top1: "0.4" }))).toEqual([]);
    expect(found(answer({ top1: "0.6" }, true))).toEqual([]);
  });

  test.each([
    ["95%", ["concentrated INFO"]],
    ["95.5 %", ["concentrated INFO"]],
    ["0.6%", []],
    ["%", []],
    ["n/a", []],
  ])("a share of %j is read with its unit", (top1, expected) => {
    expect(found(answer({ top1 }))).toEqual(expected);
  });
});

describe("the trust level of a token", () => {
  const trusted = (trust_level: string, read_by?: object, more: object = {}) => ({
    ...answer({}),
    threat_intelligence: { risk_level: "", trust_level },
    ...(read_by === undefined ? {} : { read_by }),
    ...more,
  });

  test.each([
    [trusted(""), []],
    [trusted("3"), ["trust_unknown UNKNOWN"]],
    [trusted("1", undefined, { unknown: [] }), []],
    [trusted("3", { trust_level: "INFO" }), []],
    [trusted("low", { trust_level: "WARN" }), ["trust_medium WARN"]],
    [trusted("0", { trust_level: "BLOCK" }), ["trust_low BLOCK"]],
    [trusted("?", { trust_level: "UNKNOWN" }), ["trust_unknown UNKNOWN"]],
  ])("%#", (data, expected) => {
    expect(found(data)).toEqual(expected);
  });

  test("a trust level counts as raised when the operator's scale means harm", () => {
    expect([trusted("0", { trust_level: "BLOCK" }), trusted("3")].map(isRaised)).toEqual([true, false]);
  });

  test("the finding states how the setting reads the trust level", () => {
    const [finding] = tokenSecurityRule(trusted("3"), { subject, table }) ?? [];
    expect(finding?.detail).toBe(
      "threat_intelligence.trust_level is '3'; say what it means in SERVICE_LEVELS, or in levels of the file of SERVICE_DIALECT, as trust:3=INFO",
    );
  });
});
