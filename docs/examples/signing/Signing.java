import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public class Signing {
    public record Signed(String bodyHash, String canonical, String signature) {}

    public static Signed sign(String secret, String method, String query, byte[] body, String timestamp, String nonce)
            throws Exception {
        Base64.Encoder base64 = Base64.getEncoder();
        String bodyHash = base64.encodeToString(MessageDigest.getInstance("SHA-256").digest(body));
        String canonical = String.join(
                ":", "v1", timestamp, nonce, method.toUpperCase(), canonicalQuery(query), bodyHash);
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(Base64.getDecoder().decode(secret), "HmacSHA256"));
        byte[] result = mac.doFinal(canonical.getBytes(StandardCharsets.UTF_8));
        return new Signed(bodyHash, canonical, "v1=" + base64.encodeToString(result));
    }

    /** Parameters that have a value, sorted by key. Sorting is stable: equal keys keep their order. */
    static String canonicalQuery(String query) {
        return Arrays.stream(query.split("&"))
                .filter(part -> part.indexOf('=') >= 0 && part.indexOf('=') < part.length() - 1)
                .sorted(Comparator.comparing((String part) -> part.substring(0, part.indexOf('='))))
                .collect(Collectors.joining("&"));
    }

    public static String call(String method, String path, String query, String body) throws Exception {
        String timestamp = String.valueOf(System.currentTimeMillis() / 1000);
        String nonce = UUID.randomUUID().toString();
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        Signed signed = sign(System.getenv("SIGNING_SECRET"), method, query, bytes, timestamp, nonce);
        String address = System.getenv("BASE_URL") + path + (query.isEmpty() ? "" : "?" + query);
        HttpRequest request = HttpRequest.newBuilder(URI.create(address))
                .method(method, HttpRequest.BodyPublishers.ofByteArray(bytes))
                .header("X-Api-Key", System.getenv("API_KEY"))
                .header("X-Timestamp", timestamp)
                .header("X-Nonce", nonce)
                .header("X-Signature", signed.signature())
                .header("Content-Type", "application/json")
                .build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
    }
}
