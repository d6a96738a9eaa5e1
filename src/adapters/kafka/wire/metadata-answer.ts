import Decoder from "kafkajs/src/protocol/decoder.js";
import Encoder from "kafkajs/src/protocol/encoder.js";
import type metadata from "kafkajs/src/protocol/requests/metadata/index.js";

const METADATA_KEY = 3;
/** The first version with topic ids. Source: KIP-516. */
export const TOPIC_ID_VERSION = 10;
const UUID_BYTES = 16;

type MetadataParams = metadata.MetadataParams;
type TopicMetadata = metadata.TopicMetadata;
type PartitionMetadata = metadata.PartitionMetadata;

/** Source: Kafka's documentation, "Metadata Request (Version: 10)". The first byte ends the header. */
export function metadataRequest({ topics, allowAutoTopicCreation = true }: MetadataParams) {
  const noTags = (encoder: Encoder) => encoder.writeUVarIntBytes();
  const encode = async (): Promise<Encoder> => {
    const asked = topics.map((topic) =>
      noTags(new Encoder().writeBuffer(Buffer.alloc(UUID_BYTES)).writeUVarIntString(topic)),
    );
    const request = noTags(new Encoder())
      .writeUVarIntArray(asked.length === 0 ? null : asked)
      .writeBoolean(allowAutoTopicCreation)
      // Whether to include the permissions of this client for the cluster and for topics.
      .writeBoolean(false)
      .writeBoolean(false);
    return noTags(request);
  };
  return { apiKey: METADATA_KEY, apiVersion: TOPIC_ID_VERSION, apiName: "Metadata", encode };
}

/** Reads an answer of version 10. Source: Kafka's documentation, "Metadata Response (Version: 10)". */
export async function readMetadataAnswer(answer: Buffer) {
  const decoder = new Decoder(answer);
  decoder.readTaggedFields();
  const clientSideThrottleTime = decoder.readInt32();
  const brokers = decoder.readUVarIntArray(broker) ?? [];
  const clusterId = decoder.readUVarIntString();
  return {
    throttleTime: 0,
    clientSideThrottleTime,
    brokers,
    clusterId,
    controllerId: decoder.readInt32(),
    topicMetadata: decoder.readUVarIntArray((each) => topicMetadata(each, clusterId ?? undefined)) ?? [],
  };
}

function broker(decoder: Decoder) {
  const read = {
    nodeId: decoder.readInt32(),
    host: decoder.readUVarIntString(),
    port: decoder.readInt32(),
    rack: decoder.readUVarIntString(),
  };
  decoder.readTaggedFields();
  return read;
}

function topicMetadata(decoder: Decoder, clusterId: string | undefined): TopicMetadata {
  const topicErrorCode = decoder.readInt16();
  const topic = decoder.readUVarIntString() ?? "";
  const topicId = idOf(decoder.readBytes(UUID_BYTES));
  const isInternal = decoder.readBoolean();
  const partitions = decoder.readUVarIntArray(partitionMetadata) ?? [];
  // The permissions of this client for the topic.
  decoder.readInt32();
  decoder.readTaggedFields();
  return {
    topicErrorCode,
    topic,
    topicId,
    isInternal,
    partitionMetadata: partitions.map((each) => ({ ...each, topicId, clusterId })),
  };
}

function partitionMetadata(decoder: Decoder): PartitionMetadata {
  const [partitionErrorCode, partitionId, leader] = [decoder.readInt16(), decoder.readInt32(), decoder.readInt32()];
  const leaderEpoch = decoder.readInt32();
  const nodes = () => decoder.readUVarIntArray((each) => each.readInt32()) ?? [];
  const [replicas, isr, offlineReplicas] = [nodes(), nodes(), nodes()];
  decoder.readTaggedFields();
  return { partitionErrorCode, partitionId, leader, leaderEpoch, replicas, isr, offlineReplicas };
}

/** The id as Kafka's tools print it. A cluster without topic ids answers with zeros. */
function idOf(bytes: Buffer): string | undefined {
  return bytes.every((byte) => byte === 0) ? undefined : Buffer.from(bytes).toString("base64url");
}
