declare module "kafkajs/src/network/requestQueue/index.js" {
  /** The queue of one connection, as far as its repair and the test of it need it. */
  class RequestQueue {
    constructor(options: {
      maxInFlightRequests: number | null;
      requestTimeout: number;
      enforceRequestTimeout: boolean;
      clientId: string;
      broker: string;
      logger: { debug(message: string): void; warn(message: string): void };
    });
    pending: readonly unknown[];
    throttledUntil: number;
    push(request: {
      entry: { correlationId: number; resolve(answer: unknown): void; reject(error: Error): void };
      expectResponse: boolean;
      sendRequest(): void;
    }): void;
    fulfillRequest(response: { correlationId: number; payload: Buffer; size: number }): void;
    maybeThrottle(clientSideThrottleTimeMs: number): void;
    checkPendingRequests(): void;
    scheduleCheckPendingRequests(): void;
    destroy(): void;
  }
  export = RequestQueue;
}
