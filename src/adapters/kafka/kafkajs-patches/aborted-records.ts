/** The fields of a kafkajs record that concern transactions. */
export interface KafkajsRecord {
  readonly offset: string;
  /** A marker of a transaction's end. kafkajs skips markers and never delivers them. */
  isControlRecord: boolean;
  /** Absent in formats before Kafka 0.11, which have no transactions. */
  readonly batchContext?: { readonly producerId: string; readonly inTransaction: boolean };
}

export interface AbortedTransaction {
  readonly producerId: string;
  readonly firstOffset: string;
}

/**
 * Marks records of aborted transactions, so that they are not delivered. Brokers list transactions in the order of
 * their ends, so an earlier beginning may come later in the list.
 */
export function hideAborted(records: readonly KafkajsRecord[], aborted: readonly AbortedTransaction[]): void {
  if (aborted.length === 0) return;
  const begun = aborted.toSorted((a, b) => Number(a.firstOffset) - Number(b.firstOffset));
  const aborting = new Set<string>();
  for (const record of records) {
    for (; begun[0] !== undefined && Number(begun[0].firstOffset) <= Number(record.offset); begun.shift()) {
      aborting.add(begun[0].producerId);
    }
    const { batchContext } = record;
    if (batchContext === undefined) continue;
    if (record.isControlRecord) aborting.delete(batchContext.producerId);
    else if (batchContext.inTransaction && aborting.has(batchContext.producerId)) record.isControlRecord = true;
  }
}
