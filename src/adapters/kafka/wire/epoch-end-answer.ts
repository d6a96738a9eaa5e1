import Decoder from "kafkajs/src/protocol/decoder.js";
import Encoder from "kafkajs/src/protocol/encoder.js";
import type { EpochEnd } from "../offsets/log-truncation.ts";

/**
 * Key of the request for the end of an epoch in a leader's log. kafkajs knows only its name. Source: KIP-101, KIP-320.
 */
export const EPOCH_END_KEY = 23;
/** The first version that needs no permission on the cluster. Source: KIP-320, KAFKA-7747. */
export const EPOCH_END_VERSION = 3;
const A_CONSUMER = -1;

/** The requested epoch of a partition. */
export interface EpochRequest {
  readonly partition: number;
  /** The leader's epoch in the metadata, so that an earlier leader refuses to answer; -1 where it is unknown. */
  readonly currentEpoch: number;
  readonly epoch: number;
}

export interface EpochEndAnswer {
  readonly partition: number;
  readonly errorCode: number;
  readonly answer: EpochEnd;
}

/** Source: Kafka's documentation, "OffsetForLeaderEpoch Request (Version: 3)". */
export function epochEndRequest(topic: string, asked: readonly EpochRequest[]) {
  const encode = async (): Promise<Encoder> => {
    const request = new Encoder().writeInt32(A_CONSUMER).writeInt32(1).writeString(topic).writeInt32(asked.length);
    for (const { partition, currentEpoch, epoch } of asked)
      request.writeInt32(partition).writeInt32(currentEpoch).writeInt32(epoch);
    return request;
  };
  return { apiKey: EPOCH_END_KEY, apiVersion: EPOCH_END_VERSION, apiName: "OffsetForLeaderEpoch", encode };
}

/** Reads an answer about one topic. Source: Kafka's documentation, "OffsetForLeaderEpoch Response (Version: 3)". */
export async function readEpochEnds(answer: Buffer) {
  const decoder = new Decoder(answer);
  const clientSideThrottleTime = decoder.readInt32();
  const topics = decoder.readArray((each) => {
    each.readString();
    return each.readArray(partitionEnd);
  });
  return { throttleTime: 0, clientSideThrottleTime, partitions: topics.flat() };
}

function partitionEnd(decoder: Decoder): EpochEndAnswer {
  const [errorCode, partition, epoch] = [decoder.readInt16(), decoder.readInt32(), decoder.readInt32()];
  return { partition, errorCode, answer: { epoch, end: Number(decoder.readInt64().toString()) } };
}
