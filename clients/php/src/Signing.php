<?php

declare(strict_types=1);

namespace Warung;

/** Signing of requests: the contract's canonical string, and HMAC-SHA256 over it. */
final class Signing
{
    /** Base64 of the SHA-256 of the exact bytes that are sent; of no bytes when there is no body. */
    public static function bodyHash(string $body): string
    {
        return base64_encode(hash('sha256', $body, true));
    }

    /** The query as it is sent, sorted by key, without parameters that have no `=` or an empty value. */
    public static function canonicalQuery(string $query): string
    {
        $pairs = [];
        foreach (explode('&', $query) as $part) {
            $pair = explode('=', $part, 2);
            if (count($pair) === 2 && $pair[1] !== '') {
                $pairs[] = $pair;
            }
        }
        // The sort is stable: parameters of the same name stay in the order in which they are sent.
        usort($pairs, static fn (array $a, array $b): int => strcmp($a[0], $b[0]));
        return implode('&', array_map(static fn (array $pair): string => implode('=', $pair), $pairs));
    }

    /** The text that is signed. Neither the host nor the path is part of it. */
    public static function canonicalString(
        string $timestamp,
        string $nonce,
        string $method,
        string $query,
        string $body,
    ): string {
        $parts = ['v1', $timestamp, $nonce, strtoupper($method), self::canonicalQuery($query), self::bodyHash($body)];
        return implode(':', $parts);
    }

    /** The key behind a signing secret as the dashboard shows it. */
    public static function decodeSecret(#[\SensitiveParameter] string $signingSecret): string
    {
        $key = base64_decode($signingSecret, true);
        if ($key === false || $key === '') {
            // The secret itself stays out of the message: messages are logged.
            throw new \InvalidArgumentException('signingSecret is not Base64: copy it as the dashboard shows it');
        }
        return $key;
    }

    /** The value of X-Signature. */
    public static function sign(#[\SensitiveParameter] string $signingSecret, string $canonical): string
    {
        return 'v1=' . base64_encode(hash_hmac('sha256', $canonical, self::decodeSecret($signingSecret), true));
    }

    /** 36 characters of a-f 0-9, never used before. */
    public static function newNonce(): string
    {
        return bin2hex(random_bytes(18));
    }

    /**
     * The four headers of a signed request. Every attempt needs its own: a nonce works once.
     *
     * @return array<string, string>
     */
    public static function signRequest(
        string $apiKey,
        #[\SensitiveParameter] string $signingSecret,
        string $method,
        string $query,
        string $body,
        int $timestamp,
        ?string $nonce = null,
    ): array {
        $nonce ??= self::newNonce();
        $canonical = self::canonicalString((string) $timestamp, $nonce, $method, $query, $body);
        return [
            'X-Api-Key' => $apiKey,
            'X-Timestamp' => (string) $timestamp,
            'X-Nonce' => $nonce,
            'X-Signature' => self::sign($signingSecret, $canonical),
        ];
    }

    /**
     * Encodes parameters for the wire, sorted. Null and empty text are left out, lists repeat their name.
     *
     * @param array<string, mixed> $params
     */
    public static function encodeQuery(array $params): string
    {
        $parts = [];
        ksort($params, SORT_STRING);
        foreach ($params as $name => $value) {
            foreach (is_array($value) ? $value : [$value] as $each) {
                $text = is_bool($each) ? ($each ? 'true' : 'false') : (string) $each;
                if ($text !== '') {
                    $parts[] = rawurlencode((string) $name) . '=' . rawurlencode($text);
                }
            }
        }
        return implode('&', $parts);
    }
}
