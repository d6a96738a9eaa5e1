import com.google.protobuf.*;
import com.google.protobuf.Descriptors.*;
import io.apicurio.registry.utils.protobuf.schema.FileDescriptorUtils;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.*;
import org.apache.avro.*;
import org.apache.avro.generic.*;
import org.apache.avro.io.*;

/**
 * Writes test vectors for the readers of Avro and Protobuf, by the Java libraries of both formats. It prints JSON: a schema, the bytes in hex, and how they were made.
 */
public class RegistryVectors {
  static final String AVRO = """
      {"type":"record","name":"Event","namespace":"a.b","fields":[
        {"name":"type","type":{"type":"enum","name":"Kind","symbols":["transaction","address"]}},
        {"name":"chain_id","type":"long"},
        {"name":"address","type":"string"},
        {"name":"token_address","type":["null","string"],"default":null},
        {"name":"user_addresses","type":{"type":"array","items":"string"}},
        {"name":"ref","type":{"type":"record","name":"Ref","fields":[
          {"name":"big","type":"long"},
          {"name":"least","type":"long"},
          {"name":"small","type":"int"},
          {"name":"amount","type":{"type":"bytes","logicalType":"decimal","precision":30,"scale":4}},
          {"name":"debt","type":{"type":"fixed","name":"F9","size":9,"logicalType":"decimal","precision":20,"scale":2}},
          {"name":"raw","type":"bytes"},
          {"name":"ratio","type":"double"},
          {"name":"half","type":"float"},
          {"name":"flag","type":"boolean"},
          {"name":"at","type":{"type":"long","logicalType":"timestamp-millis"}},
          {"name":"any","type":["null","int",{"type":"map","values":["long","string"]},"Ref"]}]}}]}""";
  static final String PROTO = """
      syntax = "proto3";
      package a.b;
      import "google/protobuf/timestamp.proto";
      import "google/protobuf/wrappers.proto";
      import "google/protobuf/struct.proto";
      message Other { string x = 1; }
      message Event {
        enum Kind { NONE = 0; address = 1; transaction = 2; }
        Kind type = 1;
        uint64 chain_id = 2;
        string address = 3;
        optional string token_address = 4;
        repeated string user_addresses = 5;
        google.protobuf.Timestamp occurred_at = 6;
        Ref ref = 7;
        message Ref {
          int64 big = 1; uint64 most = 2; sint64 least = 3; fixed64 fixed = 4; bytes raw = 5;
          map<int64, string> by_id = 6; map<string, Ref> by_name = 7; repeated int32 packed = 8;
          double ratio = 9; bool flag = 10; google.protobuf.StringValue text = 11; google.protobuf.Int64Value number = 12;
          oneof either { string left = 13; int32 right = 14; } google.protobuf.Struct any = 15; Kind kind = 16;
        }
      }""";

  public static void main(String[] args) throws Exception {
    System.out.println("{\"avro\":" + avro() + ",\n\"protobuf\":" + proto() + "}");
  }

  static String avro() throws Exception {
    Schema schema = new Schema.Parser().parse(AVRO);
    Schema ref = schema.getField("ref").schema();
    GenericRecord inner = ref(ref, Map.of("k", 9007199254740993L));
    GenericRecord outer = ref(ref, inner);
    GenericRecord event = new GenericData.Record(schema);
    event.put("type", new GenericData.EnumSymbol(schema.getField("type").schema(), "address"));
    event.put("chain_id", 1L);
    event.put("address", "0x7f367cc41522ce07553e823bf3be79a889debe1b");
    event.put("token_address", null);
    event.put("user_addresses", List.of("0x1111111111111111111111111111111111111111", "žluťoučký 🐎"));
    event.put("ref", outer);
    ByteArrayOutputStream plain = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(plain, null);
    new GenericDatumWriter<GenericRecord>(schema).write(event, encoder);
    encoder.flush();
    ByteArrayOutputStream blocks = new ByteArrayOutputStream();
    BinaryEncoder blocking = new EncoderFactory().configureBlockSize(64).blockingBinaryEncoder(blocks, null);
    new GenericDatumWriter<GenericRecord>(schema).write(event, blocking);
    blocking.flush();
    return "{\"schema\":" + quote(AVRO) + ",\"plain\":\"" + hex(plain.toByteArray()) + "\",\"blocks\":\"" + hex(blocks.toByteArray()) + "\"}";
  }

  static GenericRecord ref(Schema schema, Object any) {
    GenericRecord ref = new GenericData.Record(schema);
    ref.put("big", 9007199254740993L);
    ref.put("least", Long.MIN_VALUE);
    ref.put("small", -7);
    ref.put("amount", ByteBuffer.wrap(new BigDecimal("12345678901234567890.0050").unscaledValue().toByteArray()));
    byte[] debt = new byte[9];
    Arrays.fill(debt, (byte) 0xff);
    debt[8] = (byte) 0xfb;
    ref.put("debt", new GenericData.Fixed(schema.getField("debt").schema(), debt));
    ref.put("raw", ByteBuffer.wrap(new byte[] {0, (byte) 0xff, 16}));
    ref.put("ratio", 0.1);
    ref.put("half", 0.5f);
    ref.put("flag", true);
    ref.put("at", 1767225600000L);
    ref.put("any", any);
    return ref;
  }

  static String proto() throws Exception {
    FileDescriptor file = FileDescriptorUtils.protoFileToFileDescriptor(PROTO, "event.proto", Optional.of("a.b"));
    Descriptor type = file.findMessageTypeByName("Event");
    Descriptor refType = type.findNestedTypeByName("Ref");
    DynamicMessage inner = DynamicMessage.newBuilder(refType).setField(refType.findFieldByName("right"), 0).build();
    Descriptor struct = Struct.getDescriptor();
    DynamicMessage.Builder ref = DynamicMessage.newBuilder(refType)
        .setField(refType.findFieldByName("big"), 9007199254740993L)
        .setField(refType.findFieldByName("most"), -1L)
        .setField(refType.findFieldByName("least"), Long.MIN_VALUE)
        .setField(refType.findFieldByName("fixed"), 1L << 63)
        .setField(refType.findFieldByName("raw"), ByteString.copyFrom(new byte[] {0, (byte) 0xff, 16}))
        .addRepeatedField(refType.findFieldByName("packed"), 1)
        .addRepeatedField(refType.findFieldByName("packed"), -1)
        .setField(refType.findFieldByName("ratio"), 0.1)
        .setField(refType.findFieldByName("flag"), true)
        .setField(refType.findFieldByName("text"), dynamic(refType.findFieldByName("text"), StringValue.of("")))
        .setField(refType.findFieldByName("number"), dynamic(refType.findFieldByName("number"), Int64Value.of(-9007199254740993L)))
        .setField(refType.findFieldByName("left"), "")
        .setField(refType.findFieldByName("any"), dynamic(refType.findFieldByName("any"),
            Struct.newBuilder().putFields("a", Value.newBuilder().setListValue(ListValue.newBuilder()
                .addValues(Value.newBuilder().setNumberValue(1.5)).addValues(Value.newBuilder().setNullValue(NullValue.NULL_VALUE))
                .addValues(Value.newBuilder().setBoolValue(false)).addValues(Value.newBuilder().setStringValue("s"))).build()).build()))
        .setField(refType.findFieldByName("kind"), type.findEnumTypeByName("Kind").findValueByNumber(2));
    ref.addRepeatedField(refType.findFieldByName("by_id"), entry(refType.findFieldByName("by_id"), -9007199254740993L, "x"));
    ref.addRepeatedField(refType.findFieldByName("by_name"), entry(refType.findFieldByName("by_name"), "n", inner));
    DynamicMessage event = DynamicMessage.newBuilder(type)
        .setField(type.findFieldByName("type"), type.findEnumTypeByName("Kind").findValueByNumber(1))
        .setField(type.findFieldByName("chain_id"), 1L)
        .setField(type.findFieldByName("address"), "0x7f367cc41522ce07553e823bf3be79a889debe1b")
        .addRepeatedField(type.findFieldByName("user_addresses"), "0x1111111111111111111111111111111111111111")
        .setField(type.findFieldByName("occurred_at"), dynamic(type.findFieldByName("occurred_at"), Timestamp.newBuilder().setSeconds(1767225600).setNanos(5000000).build()))
        .setField(type.findFieldByName("ref"), ref.build())
        .build();
    return "{\"schema\":" + quote(PROTO) + ",\"plain\":\"" + hex(event.toByteArray()) + "\"}";
  }

  static DynamicMessage dynamic(FieldDescriptor field, Message value) throws Exception {
    return DynamicMessage.parseFrom(field.getMessageType(), value.toByteString());
  }

  static Message entry(FieldDescriptor field, Object key, Object value) {
    Descriptor type = field.getMessageType();
    return DynamicMessage.newBuilder(type).setField(type.findFieldByName("key"), key).setField(type.findFieldByName("value"), value).build();
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  static String quote(String text) {
    return "\"" + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
  }
}
