/**
 * Requests that find any quota of up to 600 a minute. Source: 640 measurements in virtual time, 40 of each kind of
 * counter in test/quota/kinds.ts. They took 10,258 requests and 1,025 s at most; a faster service without a quota is
 * done sooner.
 */
export const QUOTA_REQUESTS = 12_000;
export const QUOTA_MINUTES = 20;
