import manifest from "kafkajs/package.json" with { type: "json" };
import RequestQueue from "kafkajs/src/network/requestQueue/index.js";

const REPAIRED_VERSION = "2.2.4";
const schedule = RequestQueue.prototype.scheduleCheckPendingRequests;

/**
 * kafkajs checks for pending requests by a timer that restarts each millisecond, on every connection that ever sent a
 * request. That takes 5.6 % of a core for six idle connections. A check only while a request is pending loses nothing:
 * a request that becomes pending schedules a check itself (tulios/kafkajs#1751).
 *
 * @throws when kafkajs has another version: check then whether that version still needs this.
 */
export function repairIdleSpin(version = manifest.version): void {
  if (version !== REPAIRED_VERSION) {
    throw new Error(`kafkajs is ${version}, and its idle connections are repaired for ${REPAIRED_VERSION} only`);
  }
  RequestQueue.prototype.scheduleCheckPendingRequests = function (this: RequestQueue): void {
    if (this.pending.length > 0) schedule.call(this);
  };
}
