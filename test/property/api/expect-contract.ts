import { expect } from "vitest";
import type { Answered } from "../../support/service.ts";

/** The contract of any answer: JSON, no 5xx, and a success or a failure of strings. */
export function expectContract({ http, body, headers }: Answered): void {
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  if (http === 200) {
    expect(body).toMatchObject({ code: "0", status: expect.any(String) });
    return;
  }
  expect([400, 404, 413, 422]).toContain(http);
  expect(body).toEqual({ code: "-1", status: expect.any(String), detail: expect.stringMatching(/./) });
}
