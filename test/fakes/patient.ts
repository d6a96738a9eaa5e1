/** Never blames the service, however often it fails. */
export const patient = { answered: () => undefined, failed: () => undefined };
