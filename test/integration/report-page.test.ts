/** The page of a report in a real browser. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser, Page } from "puppeteer-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { Verdict } from "../../src/messages/verdict.ts";
import { verdictAt } from "../fakes/verdicts.ts";
import { openBrowser } from "../support/browser.ts";
import { verdictFolder } from "../support/verdict-folder.ts";
import { run } from "../support/weir.ts";

const lowContrasts = readFileSync("test/fixtures/low-contrasts.js", "utf8");
let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const fake = "0xd9a1c3788d81257612e2581a6ea0ada244853a91";
const real = "0xd9a1b0b1e1ae382dbdc898ea68012ffcb2853a91";

function flagged(line: number, own: Partial<Verdict> = {}): Verdict {
  return {
    ...verdictAt(line),
    decision: "BLOCK",
    subject: { type: "address", chain_id: "1", address: fake, user_addresses: [real] },
    reasons: [{ check: "poisoning", finding: "mimics_user", severity: "BLOCK", detail: "alike", resembles: real }],
    ...own,
  };
}

/** The page of a run with these verdicts, in a window of a laptop. */
async function opened(verdicts: readonly Verdict[]): Promise<{ page: Page; faults: string[]; requests: string[] }> {
  const dir = await verdictFolder(verdicts);
  const { status, stderr } = await run(["report", dir]);
  expect([status, stderr]).toEqual([0, ""]);
  const page = await browser.newPage();
  onTestFinished(() => page.close());
  const faults: string[] = [];
  const requests: string[] = [];
  page.on("console", (message) => faults.push(message.text()));
  page.on("pageerror", (fault) => faults.push(String(fault)));
  page.on("dialog", (dialog) => {
    faults.push(dialog.message());
    void dialog.dismiss();
  });
  page.on("request", (request) => requests.push(request.url()));
  await page.setViewport({ width: 1280, height: 800 });
  await page.goto(pathToFileURL(path.join(dir, "report.html")).href);
  return { page, faults, requests };
}

const visibleRows = (page: Page) =>
  page.$$eval("#rows tbody tr", (rows) => rows.filter((row) => row.offsetParent !== null).length);
const text = (page: Page, selector: string) => page.$eval(selector, (element) => element.textContent ?? "");

const several = [
  flagged(3, { tenant: "desk-a" }),
  flagged(5, { tenant: "desk-b", event_id: "pay-5" }),
  { ...verdictAt(8), decision: "WARN" } satisfies Verdict,
];

test("three bad rows of 10,000 stand on the first screen, and weir show prints just them", async () => {
  const bad = new Set([17, 4_711, 9_999]);
  const verdicts = Array.from({ length: 10_000 }, (_, i) => (bad.has(i + 1) ? flagged(i + 1) : verdictAt(i + 1)));
  const { page } = await opened(verdicts);

  const rows = await page.$$eval("#rows tbody tr", (all) =>
    all.map((row) => ({ bottom: row.getBoundingClientRect().bottom, line: row.children[1]?.textContent })),
  );
  expect(rows.map(({ line }) => line)).toEqual(["events.ndjson 17", "events.ndjson 4711", "events.ndjson 9999"]);
  expect(Math.max(...rows.map(({ bottom }) => bottom))).toBeLessThan(1_000);
  const { stdout } = await run(["show", await verdictFolder(verdicts)]);
  expect(stdout.match(/^\S.*$/gm)?.map((line) => /line \d+/.exec(line)?.[0])).toEqual([
    ...["line 17", "line 4711", "line 9999"],
  ]);
});

test("the page loads nothing, and runs its own script under its policy", async () => {
  const { page, faults, requests } = await opened(several);

  expect(requests).toHaveLength(1);
  expect(faults).toEqual([]);
  expect(await text(page, "#shown")).toBe("3 of 3 rows fit the filters");
});

test("text of an event runs no script", async () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(2)><svg onload=alert(3)>`;
  const { page, faults, requests } = await opened([
    flagged(1, {
      event_id: hostile,
      tenant: hostile,
      ref: { [hostile]: hostile },
      reasons: [{ check: "poisoning", finding: hostile, severity: "BLOCK", detail: hostile }],
    }),
  ]);

  expect(faults).toEqual([]);
  expect(requests).toHaveLength(1);
  expect(await page.$$eval("script, img, #rows svg", (elements) => elements.length)).toBe(1);
  expect(await text(page, "#rows tbody")).toContain("<script>alert(1)</script>");
});

test("the policy of the page stops a script that somehow got in", async () => {
  const { page, faults } = await opened(several);
  await page.evaluate(
    'const script = document.createElement("script"); script.textContent = "alert(1)"; document.body.append(script)',
  );

  expect(faults.join()).toMatch(/Content Security Policy/);
});

describe("by keyboard", () => {
  test("the first stop is the way to the rows, and each stop shows its focus", async () => {
    const { page } = await opened(several);
    await page.keyboard.press("Tab");

    const stop = "document.activeElement";
    const seen = `[${stop}.textContent, getComputedStyle(${stop}).outlineStyle, ${stop}.getBoundingClientRect().left]`;
    expect(await page.evaluate(seen)).toEqual(["Go to the rows that need a person", "solid", 8]);
  });

  test("the filters keep the rows that fit, and say how many", async () => {
    const { page } = await opened(several);
    await page.focus("input[name=text]");
    await page.keyboard.type("PAY-5");

    expect(await text(page, "#shown")).toBe("1 of 3 rows fit the filters");
    expect(await visibleRows(page)).toBe(1);
    await page.focus("button[type=reset]");
    await page.keyboard.press("Enter");
    await page.waitForFunction('document.querySelector("#shown").textContent.startsWith("3 of 3")');
  });

  test.each<[string, string, number]>([
    ["decision", "WARN", 1],
    ["finding", "poisoning: mimics_user", 2],
    ["chain", "Ethereum", 2],
    ["tenant", "desk-b", 1],
  ])("the filter %s has the value %s", async (name, value, rows) => {
    const { page } = await opened(several);
    await page.select(`select[name=${name}]`, value);

    expect(await visibleRows(page)).toBe(rows);
  });
});

describe.each(["light", "dark"])("in the %s scheme", (scheme) => {
  test("each text has a contrast of at least 4.5 to 1", async () => {
    const { page } = await opened(several);
    await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: scheme }]);
    const { low, texts, background } = Object(await page.evaluate(lowContrasts));

    expect(texts).toBeGreaterThan(100);
    expect(background).toBe(scheme === "dark" ? "rgb(22, 22, 22)" : "rgb(255, 255, 255)");
    expect(low).toEqual([]);
  });
});

test("print leaves the filters out and keeps every row", async () => {
  const { page } = await opened(several);
  await page.emulateMediaType("print");

  expect(await page.evaluate('getComputedStyle(document.querySelector("#filters")).display')).toBe("none");
  expect(await visibleRows(page)).toBe(3);
  const pdf = await page.pdf({ format: "A4" });
  expect(Buffer.from(pdf).subarray(0, 5).toString()).toBe("%PDF-");
});

test("a narrow window scrolls tables, and not the page", async () => {
  const { page } = await opened(several);
  await page.setViewport({ width: 400, height: 800 });

  expect(await page.evaluate("document.documentElement.scrollWidth")).toBeLessThanOrEqual(400);
});

test("each control has a label, each picture a text, and each table a caption and headers", async () => {
  const { page } = await opened(several);

  expect(await page.$$eval("input, select", (all) => all.map(({ labels }) => labels?.length))).not.toContain(0);
  expect(
    await page.$$eval("svg", (all) => all.map((svg) => svg.getAttribute("aria-label")?.length ?? 0)),
  ).not.toContain(0);
  expect(
    await page.$$eval("table", (all) => all.filter(({ caption, tHead }) => caption === null || tHead === null).length),
  ).toBe(0);
  expect(await page.$eval("html", ({ lang }) => lang)).toBe("en");
});
