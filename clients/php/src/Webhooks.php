<?php

declare(strict_types=1);

namespace Warung;

use Warung\Errors\InvalidWebhook;

/** Verification of callbacks and webhooks. All streams carry the Standard Webhooks headers. */
final class Webhooks
{
    private const TOLERANCE_SECONDS = 300;
    private const PREFIX = 'whsec_';
    /** Begin of the id of a sample. The id is signed; the header X-Webhook-Test is not. */
    private const TEST_PREFIX = 'evt_test_';

    /**
     * Returns the event of a request, or throws InvalidWebhook: then answer 503, because a 4xx is final.
     *
     * @param string $url the request's, with its query as received ($_SERVER['REQUEST_URI'])
     * @param array<string, string|list<string>> $headers as getallheaders() gives them
     * @param string $body the exact bytes received (file_get_contents('php://input'))
     * @param list<string> $secrets two while a rotated one is in its grace period
     */
    public static function verify(
        string $method,
        string $url,
        array $headers,
        string $body,
        #[\SensitiveParameter] array $secrets,
        int $toleranceSeconds = self::TOLERANCE_SECONDS,
        ?int $now = null,
    ): WebhookEvent {
        $given = self::lowerCase($headers);
        $id = $given['webhook-id'] ?? '';
        $timestamp = $given['webhook-timestamp'] ?? '';
        $header = $given['webhook-signature'] ?? '';
        if ($id === '' || $header === '' || preg_match('/^\d{1,12}$/D', $timestamp) !== 1) {
            throw new InvalidWebhook('missing_headers', 'the headers of a signature are missing');
        }
        if (abs(($now ?? time()) - (int) $timestamp) > $toleranceSeconds) {
            throw new InvalidWebhook('timestamp_out_of_window', 'signed too long ago, or a clock is wrong');
        }
        $isGet = strtoupper($method) === 'GET';
        $signed = $isGet ? self::queryOf($url) : $body;
        if (!self::isSigned($id, $timestamp, $header, $signed, $secrets)) {
            throw new InvalidWebhook('wrong_signature', 'no signature is by a secret that is known here');
        }
        [$stream, $payload] = self::read($isGet, $signed);
        return new WebhookEvent($stream, $id, (int) $timestamp, str_starts_with($id, self::TEST_PREFIX), $payload);
    }

    /** True if `X-Webhook-Signature` is right. It has no time in it: prefer verify. @param list<string> $secrets */
    public static function verifyBodySignature(
        string $body,
        string $header,
        #[\SensitiveParameter] array $secrets,
    ): bool {
        $isOurs = false;
        foreach ($secrets as $secret) {
            $isOurs = hash_equals(self::bodySignature($secret, $body), $header) || $isOurs;
        }
        return $isOurs;
    }

    /**
     * Makes the headers of a delivery, for tests of your own receiver. `$payload` is the body, or the query of a GET.
     *
     * @param list<string> $secrets
     *
     * @return array<string, string>
     */
    public static function sign(
        string $id,
        int $timestamp,
        string $payload,
        #[\SensitiveParameter] array $secrets,
        bool $hasBodySignature = false,
    ): array {
        $signature = static fn (#[\SensitiveParameter] string $secret): string
            => self::signature($secret, $id, (string) $timestamp, $payload);
        $headers = [
            'webhook-id' => $id,
            'webhook-timestamp' => (string) $timestamp,
            'webhook-signature' => implode(' ', array_map($signature, $secrets)),
        ];
        return $hasBodySignature
            ? $headers + ['X-Webhook-Signature' => self::bodySignature($secrets[0], $payload)]
            : $headers;
    }

    /** @param list<string> $secrets */
    private static function isSigned(
        string $id,
        string $time,
        string $header,
        string $signed,
        #[\SensitiveParameter] array $secrets,
    ): bool {
        $isOurs = false;
        // Every pair is compared, each in constant time.
        foreach ($secrets as $secret) {
            $wanted = self::signature($secret, $id, $time, $signed);
            foreach (explode(' ', $header) as $given) {
                $isOurs = hash_equals($wanted, $given) || $isOurs;
            }
        }
        return $isOurs;
    }

    private static function signature(
        #[\SensitiveParameter] string $secret,
        string $id,
        string $timestamp,
        string $payload,
    ): string {
        $encoded = str_starts_with($secret, self::PREFIX) ? substr($secret, strlen(self::PREFIX)) : $secret;
        $key = base64_decode($encoded, true);
        if ($key === false || $key === '') {
            throw new \InvalidArgumentException('a webhook secret is whsec_ and Base64: copy it as it was shown');
        }
        return 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$payload", $key, true));
    }

    private static function bodySignature(#[\SensitiveParameter] string $secret, string $body): string
    {
        if ($secret === '') {
            // Everybody knows the empty key: a signature by it proves nothing.
            throw new \InvalidArgumentException('a webhook secret is empty: copy it as it was shown');
        }
        return 'sha256=' . hash_hmac('sha256', $body, $secret);
    }

    /** @return array{string, array<string, mixed>} */
    private static function read(bool $isGet, string $signed): array
    {
        try {
            $payload = Json::decode($isGet ? self::messageIn($signed) : $signed);
        } catch (\JsonException) {
            $payload = null;
        }
        if (!is_array($payload) || ($payload !== [] && array_is_list($payload))) {
            throw new InvalidWebhook('unreadable', 'it is signed, but is no event');
        }
        return match (true) {
            $isGet => ['callback', $payload],
            is_string($payload['resource'] ?? null) => ['catalog', $payload],
            is_string($payload['type'] ?? null) => [
                str_starts_with($payload['type'], 'order.') ? 'order' : 'balance',
                $payload,
            ],
            is_array($payload['data'] ?? null) => ['callback', $payload['data']],
            default => throw new InvalidWebhook('unreadable', 'it is signed, but is no event'),
        };
    }

    /**
     * Reads `message` from a raw query: PHP's own parser would change names of other parameters. The service appends its
     * parameters to the query that the URL has: the last one is its own.
     */
    private static function messageIn(string $query): string
    {
        foreach (array_reverse(explode('&', $query)) as $part) {
            if (str_starts_with($part, 'message=')) {
                return urldecode(substr($part, strlen('message=')));
            }
        }
        return '';
    }

    private static function queryOf(string $url): string
    {
        $at = strpos($url, '?');
        return $at === false ? '' : explode('#', substr($url, $at + 1), 2)[0];
    }

    /**
     * @param array<string, string|list<string>> $headers
     *
     * @return array<string, string>
     */
    private static function lowerCase(array $headers): array
    {
        $found = [];
        foreach ($headers as $name => $value) {
            $found[strtolower((string) $name)] = is_array($value) ? (string) ($value[0] ?? '') : (string) $value;
        }
        return $found;
    }
}
