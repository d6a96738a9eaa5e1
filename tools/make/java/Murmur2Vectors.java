import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.apache.kafka.common.utils.Utils;

/** Prints keys with their murmur2 hash by Kafka's Java client, and their partition among 12, as JSON. */
public class Murmur2Vectors {
  public static void main(String[] arguments) {
    Random random = new Random(1);
    List<byte[]> keys = new ArrayList<>();
    for (int length = 0; length <= 40; length++) {
      byte[] high = new byte[length];
      java.util.Arrays.fill(high, (byte) 0xff);
      keys.add(high);
      for (int i = 0; i < 4; i++) {
        byte[] key = new byte[length];
        random.nextBytes(key);
        keys.add(key);
      }
    }
    for (String text : new String[] {
        "evm:0xd9a1c3788d81257612e2581a6ea0adA244853a91", "tron:TA9SpmD6Fne54b4jEWpCDaHUECdJitspmo",
        "21", "foobar", "a-little-bit-long-string", "ключ", "鍵", "clé", "🔑", "🔑🔑🔑 and more", "\u0000", " ",
    }) keys.add(text.getBytes(StandardCharsets.UTF_8));

    StringBuilder json = new StringBuilder("[\n");
    for (int i = 0; i < keys.size(); i++) {
      int hash = Utils.murmur2(keys.get(i));
      json.append("  { \"key\": \"").append(HexFormat.of().formatHex(keys.get(i)));
      json.append("\", \"murmur2\": ").append(hash);
      json.append(", \"of12\": ").append(Utils.toPositive(hash) % 12).append(i + 1 < keys.size() ? " },\n" : " }\n");
    }
    System.out.print(json.append("]\n"));
  }
}
