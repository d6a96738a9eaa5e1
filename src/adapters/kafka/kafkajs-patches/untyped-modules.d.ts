declare module "kafkajs/src/network/requestQueue/index.js" {
  /** The queue of one connection, as far as the patch and its test need it. */
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

declare module "kafkajs/src/protocol/requests/fetch/v11/response.js" {
  import type { IHeaders } from "kafkajs";

  namespace response {
    /** A record of a fetch, in the form that a consumer of kafkajs reads. */
    interface DecodedMessage {
      readonly offset: string;
      readonly timestamp: string;
      readonly key: Buffer | null;
      readonly value: Buffer | null;
      readonly headers: IHeaders;
      isControlRecord: boolean;
      readonly batchContext?: {
        readonly producerId: string;
        readonly inTransaction: boolean;
        readonly leaderEpoch?: number;
      };
    }
    /** The answer to a fetch, in the form that a consumer of kafkajs reads. */
    interface DecodedFetch {
      readonly throttleTime: number;
      readonly clientSideThrottleTime: number;
      readonly errorCode: number;
      readonly sessionId: number;
      readonly responses: readonly {
        readonly topicName: string;
        readonly partitions: readonly {
          readonly partition: number;
          readonly errorCode: number;
          readonly highWatermark: string;
          readonly messages: readonly DecodedMessage[];
          readonly abortedTransactions: readonly { readonly producerId: string; readonly firstOffset: string }[];
        }[];
      }[];
    }
  }
  const response: { decode(bytes: Buffer): Promise<response.DecodedFetch> };
  export = response;
}

declare module "kafkajs/src/protocol/messageSet/decoder.js" {
  import type Decoder from "kafkajs/src/protocol/decoder.js";
  import type { DecodedMessage } from "kafkajs/src/protocol/requests/fetch/v11/response.js";

  /** Reads a message set in the format before Kafka 0.11. */
  function decodeMessageSet(decoder: Decoder, bytes: number): Promise<readonly DecodedMessage[]>;
  export = decodeMessageSet;
}

declare module "kafkajs/src/protocol/encoder.js" {
  /** Writes one message of the protocol, as far as the patch and its test need it. */
  class Encoder {
    static encodeZigZag(value: number): number;
    static nextPowerOfTwo(size: number): number;
    static sizeOfVarInt(value: number): number;
    static sizeOfVarLong(value: number | bigint): number;
    constructor(initialSize?: number);
    /** The written bytes lie before `offset`. */
    buf: Buffer;
    offset: number;
    readonly buffer: Buffer;
    ensureAvailable(length: number): void;
    writeVarInt(value: number): Encoder;
    writeVarLong(value: number | bigint): Encoder;
    writeVarIntBytes(value: Buffer | string | null): Encoder;
    writeInt16(value: number): Encoder;
    writeInt32(value: number): Encoder;
    writeString(value: string | null): Encoder;
    writeEncoder(value: Encoder): Encoder;
    writeBoolean(value: boolean): Encoder;
    writeBuffer(value: Buffer): Encoder;
    writeUVarIntBytes(value?: Buffer | string | null): Encoder;
    writeUVarIntString(value: string | null): Encoder;
    writeUVarIntArray(value: readonly Encoder[] | null): Encoder;
  }
  export = Encoder;
}

declare module "kafkajs/src/protocol/requests/produce/index.js" {
  import Encoder from "kafkajs/src/protocol/encoder.js";

  /** Produce requests by version, as far as whole batches need them. */
  interface ProduceParams {
    readonly acks: number;
    readonly timeout: number;
    readonly topicData: readonly {
      readonly topic: string;
      readonly partitions: readonly {
        readonly partition: number;
        readonly messages: readonly {
          readonly key?: string | Buffer;
          readonly value: Buffer | string | null;
          readonly headers?: Readonly<Record<string, string | Buffer>>;
          readonly timestamp?: number;
        }[];
      }[];
    }[];
  }
  interface Produce {
    readonly request: { readonly apiVersion: number; readonly encode: () => Promise<Encoder> };
    readonly response: unknown;
  }
  const produce: { protocol: (asked: { readonly version: number }) => (params: ProduceParams) => Produce };
  export = produce;
}

declare module "kafkajs/src/protocol/requests/metadata/index.js" {
  import type Encoder from "kafkajs/src/protocol/encoder.js";

  namespace metadata {
    interface MetadataParams {
      /** An empty list selects all topics. */
      readonly topics: readonly string[];
      readonly allowAutoTopicCreation?: boolean;
    }
    interface PartitionMetadata {
      readonly partitionErrorCode: number;
      readonly partitionId: number;
      readonly leader: number;
      readonly replicas: readonly number[];
      readonly isr: readonly number[];
      readonly offlineReplicas?: readonly number[];
      readonly leaderEpoch?: number;
      /**
       * The ids of the partition's topic and cluster. kafkajs passes on all fields of a partition, but only the name of
       * a topic.
       */
      readonly topicId?: string | undefined;
      readonly clusterId?: string | undefined;
    }
    interface TopicMetadata {
      readonly topicErrorCode: number;
      readonly topic: string;
      readonly topicId?: string | undefined;
      readonly isInternal?: boolean;
      readonly partitionMetadata: readonly PartitionMetadata[];
    }
    interface MetadataAnswer {
      readonly topicMetadata: readonly TopicMetadata[];
    }
    /** A request about topics, in one version. */
    interface Metadata {
      readonly request: { readonly apiVersion: number; readonly encode: () => Promise<Encoder> };
      readonly response: {
        readonly decode: (answer: Buffer) => Promise<MetadataAnswer>;
        readonly parse: (answer: MetadataAnswer) => Promise<MetadataAnswer>;
      };
    }
  }
  const metadata: {
    readonly versions: string[];
    protocol: (asked: { readonly version: number }) => (params: metadata.MetadataParams) => metadata.Metadata;
  };
  export = metadata;
}

declare module "kafkajs/src/protocol/error.js" {
  const errors: { createErrorFromCode(code: number): Error };
  export = errors;
}

declare module "kafkajs/src/protocol/decoder.js" {
  /** Reads one message of the protocol. */
  class Decoder {
    constructor(buffer: Buffer);
    readBoolean(): boolean;
    readInt16(): number;
    readInt32(): number;
    readInt64(): { toString(): string };
    readString(): string | null;
    readArray<T>(reader: (decoder: Decoder) => T): T[];
    readBytes(length: number): Buffer;
    readTaggedFields(): unknown;
    readUVarIntString(): string | null;
    readUVarIntArray<T>(reader: (decoder: Decoder) => T): T[] | null;
  }
  export = Decoder;
}

declare module "kafkajs/src/consumer/consumerGroup.js" {
  /** The content of a commit: offsets by partition, by topic. */
  interface CommitRequest {
    readonly topics: readonly {
      readonly topic: string;
      readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
    }[];
  }

  /** A member of a group, as far as the patch of its commits and the test need it. */
  class ConsumerGroup {
    constructor(options: object);
    /** The object that commits for one generation. Each generation that the member joins has its own. */
    readonly offsetManager: object | null;
    commitOffsets(offsets: CommitRequest): Promise<void>;
    joinAndSync(): Promise<void>;
  }
  export = ConsumerGroup;
}

declare module "kafkajs/src/cluster/brokerPool.js" {
  /** The brokers that a client knows, as far as the patch of its metadata and the test need it. */
  class BrokerPool {
    constructor(options: object);
    metadata: {
      readonly topicMetadata: readonly { readonly partitionMetadata: readonly { readonly leader: number }[] }[];
    } | null;
    /** Unix milliseconds. */
    metadataExpireAt: number | null;
    readonly metadataMaxAge: number;
    refreshMetadata(topics: readonly string[]): Promise<void>;
  }
  export = BrokerPool;
}

declare module "kafkajs/src/cluster/index.js" {
  /** The brokers and topics that a client knows, as far as the patch of its offsets and the test need it. */
  class Cluster {
    findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number; readonly leader: number }[];
    fetchTopicsOffset(
      topics: readonly {
        readonly topic: string;
        readonly partitions: readonly { readonly partition: number }[];
        readonly fromBeginning?: boolean;
      }[],
    ): Promise<
      {
        readonly topic: string;
        readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
      }[]
    >;
  }
  export = Cluster;
}

declare module "kafkajs/src/consumer/offsetManager/index.js" {
  interface At {
    readonly topic: string;
    readonly partition: number;
  }

  /** The read positions of a member in one generation, as far as the patch of its resets and the test need it. */
  class OffsetManager {
    constructor(options: object);
    readonly cluster: {
      fetchTopicsOffset(
        topics: readonly {
          readonly topic: string;
          readonly partitions: readonly { readonly partition: number }[];
          readonly fromBeginning: boolean;
        }[],
      ): Promise<
        readonly {
          readonly topic: string;
          readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
        }[]
      >;
    };
    setDefaultOffset(at: At): Promise<void>;
    clearOffsets(at: At): void;
    committedOffsets(): Record<string, Record<number, string> | undefined>;
    nextOffset(topic: string, partition: number): { toString(): string };
  }
  export = OffsetManager;
}

declare module "kafkajs/src/consumer/runner.js" {
  import ConsumerGroup from "kafkajs/src/consumer/consumerGroup.js";

  /** Runs a member of a group until it crashes, as far as the patch of its commits and the test need it. */
  class Runner {
    constructor(options: object);
    readonly consumerGroup: ConsumerGroup;
    running: boolean;
    commitOffsets(offsets: Parameters<ConsumerGroup["commitOffsets"]>[0]): Promise<void> | undefined;
  }
  export = Runner;
}
