import { describe, expect, test } from "vitest";
import {
  parseServiceLevels,
  type ServiceScales,
  scaledService,
  withScales,
} from "../../../../src/worker/answers/service-scales.ts";
import { tokenData } from "../../../fakes/token-data.ts";

function scales(text: string, taxes?: ServiceScales["taxes"]): ServiceScales {
  const read = parseServiceLevels(text);
  if (!read.ok) throw new Error(read.detail);
  return { ...read.value, taxes };
}
const vendor = (level: string, score: string, threat = "") => ({
  ...tokenData(),
  overall_risk_level: level,
  overall_score: score,
  threat_intelligence: { risk_level: threat, trust_level: "" },
});
const VENDOR = "low=INFO, Medium = warn,critical=BLOCK,0-30=INFO,30-69.9=WARN,70-100=BLOCK,-1=UNKNOWN";

test("a number of threat intelligence uses only its own entries, and a word uses the entries of levels", () => {
  const threatBy = (text: string, threat: string) =>
    (withScales(vendor("", "", threat), scales(text)) as { read_by?: { threat_risk_level?: string } }).read_by
      ?.threat_risk_level;

  expect(threatBy("0-30=INFO,31-100=BLOCK", "5")).toBeUndefined();
  expect(threatBy("0-30=INFO,threat:0-1=INFO,threat:2-5=BLOCK", "5")).toBe("BLOCK");
  expect(threatBy("critical=BLOCK", "critical")).toBe("BLOCK");
  expect(threatBy("critical=BLOCK,threat:critical=WARN", "critical")).toBe("WARN");
});

test("a service's own read_by field is removed", () => {
  const forged = {
    ...vendor("critical", "98"),
    read_by: { overall_risk_level: "INFO", overall_score: "INFO" },
  } as const;

  expect(withScales(forged, scales(""))).not.toHaveProperty("read_by");
  const marked = { ...forged, adapter: "x" };
  expect(withScales(marked, scales(""))).not.toHaveProperty("adapter");
  expect(withScales(marked, scales(""), true)).toHaveProperty("adapter", "x");
  expect(withScales(forged, scales("98=BLOCK"))).toMatchObject({ read_by: { overall_score: "BLOCK" } });
  expect(withScales(forged, scales("98=BLOCK"))).not.toHaveProperty("read_by.overall_risk_level");
});

test.each(["low=BLOCK,Low=INFO", "trust:a=INFO,trust:A=WARN"])("a level that is given twice is refused: %s", (text) => {
  expect(parseServiceLevels(text)).toMatchObject({ ok: false, detail: expect.stringContaining("is given twice") });
});

describe("SERVICE_LEVELS", () => {
  test.each([
    ["low", "12", "INFO", "INFO"],
    ["MEDIUM", "69.9", "WARN", "WARN"],
    ["Critical ", "98", "BLOCK", "BLOCK"],
    ["low", "30", "INFO", "WARN"],
    ["low", "-1", "INFO", "UNKNOWN"],
  ])("the scale reads %s and %s", (level, score, overall_risk_level, overall_score) => {
    expect(withScales(vendor(level, score), scales(VENDOR))).toMatchObject({
      read_by: { overall_risk_level, overall_score },
    });
  });

  test("a level without an entry has no meaning", () => {
    const data = vendor("unheard of", "101");
    expect(withScales(data, scales(VENDOR))).toBe(data);
    expect(withScales(vendor("x", "", "critical"), scales(VENDOR, "fraction"))).toMatchObject({
      read_by: { threat_risk_level: "BLOCK", taxes: "fraction" },
    });
  });

  test("trust has its own entries, which do not apply to risk", () => {
    const trusting = (trust_level: string) => ({
      ...vendor("3", "3"),
      threat_intelligence: { risk_level: "3", trust_level },
    });
    const own = scales("0-2=INFO,trust:0-2=BLOCK,Trust: High =INFO");
    expect(withScales(trusting("1"), own)).toMatchObject({ read_by: { trust_level: "BLOCK" } });
    expect(withScales(trusting("high"), own)).toMatchObject({ read_by: { trust_level: "INFO" } });
    const data = trusting("3");
    expect(withScales(data, own)).toBe(data);
  });

  test.each(["low", "trust:=INFO", "low=BAD", "=INFO", "9-1=INFO", "low=INFO,,x"])(
    "an invalid scale is refused with the name of its entry: %j",
    (text) => {
      const read = parseServiceLevels(text);
      expect(read.ok ? "" : read.detail).toMatch(/^"[^"]+": /);
    },
  );
});

describe("a service with scales", () => {
  const asked = (answer: object) =>
    scaledService({ ask: () => Promise.resolve(answer as never) }, scales(VENDOR)).ask(
      "tokenSecurity",
      { chainId: "1", address: "0x" },
      new AbortController().signal,
    );

  test("the scales apply to answers about tokens, and not to analyses in progress", async () => {
    const done = { code: "0", status: "ok", data: vendor("critical", "98") };
    const waiting = { code: "0", status: "in progress", pollAfter: 3 };

    expect(await asked(done)).toMatchObject({ data: { read_by: { overall_risk_level: "BLOCK" } } });
    expect(await asked(waiting)).toBe(waiting);
  });
});
