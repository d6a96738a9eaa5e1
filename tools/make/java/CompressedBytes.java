import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.compress.Compression;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.utils.ByteBufferOutputStream;

/** Prints payloads in the compression of a record batch by Kafka's Java client, as JSON. */
public class CompressedBytes {
  public static void main(String[] arguments) throws Exception {
    Map<String, byte[]> payloads = new LinkedHashMap<>();
    payloads.put("one byte", new byte[] {'a'});
    byte[] noise = new byte[3_000];
    new Random(1).nextBytes(noise);
    payloads.put("noise", noise);
    StringBuilder text = new StringBuilder();
    for (int i = 0; text.length() < 150_000; i++) text.append("{\"address\":\"0xd9a1\",\"n\":").append(i % 97).append("}\n");
    payloads.put("text over several blocks", text.toString().getBytes(StandardCharsets.UTF_8));

    List<String> rows = new ArrayList<>();
    for (CompressionType type : new CompressionType[] {CompressionType.GZIP, CompressionType.SNAPPY, CompressionType.LZ4, CompressionType.ZSTD}) {
      for (Map.Entry<String, byte[]> payload : payloads.entrySet()) {
        ByteBufferOutputStream bytes = new ByteBufferOutputStream(1024);
        try (OutputStream out = Compression.of(type).build().wrapForOutput(bytes, RecordBatch.MAGIC_VALUE_V2)) {
          out.write(payload.getValue());
        }
        bytes.buffer().flip();
        byte[] compressed = new byte[bytes.buffer().remaining()];
        bytes.buffer().get(compressed);
        String hash = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(payload.getValue()));
        rows.add(String.format(
            "  {%n    \"codec\": \"%s\",%n    \"payload\": \"%s\",%n    \"length\": %d,%n    \"sha256\": \"%s\",%n    \"compressed\": \"%s\"%n  }",
            type.name, payload.getKey(), payload.getValue().length, hash, Base64.getEncoder().encodeToString(compressed)));
      }
    }
    System.out.print("[\n" + String.join(",\n", rows) + "\n]\n");
  }
}
