import { expect, test } from "vitest";
import {
  RejectedError,
  ServiceDownError,
  UnauthorizedError,
  UnavailableError,
} from "../../../src/worker/service-errors.ts";
import { ServiceHealth } from "../../../src/worker/service-health.ts";

const unavailable = new UnavailableError("the service answered 503");

test("the tenth failure in a row is the service's own", () => {
  const health = new ServiceHealth();
  for (let i = 1; i < 10; i++) health.failed(unavailable);

  expect(() => health.failed(unavailable)).toThrow(ServiceDownError);
  expect(() => health.failed(unavailable)).toThrow(/^10 questions in a row .*503$/);
});

test("an answer between them starts the count anew, and a refusal of one event does not count", () => {
  const health = new ServiceHealth();
  for (let i = 1; i < 10; i++) health.failed(unavailable);
  health.answered();
  for (let i = 1; i < 10; i++) health.failed(unavailable);
  for (let i = 1; i < 20; i++) health.failed(new RejectedError("422"));

  expect(() => health.failed(unavailable)).toThrow(ServiceDownError);
});

test("a key that is refused once is refused", () => {
  expect(() => new ServiceHealth().failed(new UnauthorizedError("the service answered 401: no"))).toThrow(
    new ServiceDownError("the API key is refused: the service answered 401: no"),
  );
});
