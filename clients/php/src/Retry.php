<?php

declare(strict_types=1);

namespace Warung;

/** The one retry policy: which request may be sent again, and after how long. Each repetition has a new nonce. */
final class Retry
{
    public const ATTEMPTS_MAX = 4;
    public const BASE_SECONDS = 0.5;
    /** Longest `Retry-After` that is waited for. */
    public const RETRY_AFTER_MAX_SECONDS = 30;

    /** Waits between two questions about a payment that is not final; the last one repeats. */
    public const POLL_SCHEDULE_SECONDS = [5, 5, 5, 5, 5, 5, 10];
    public const PAY_TIMEOUT_SECONDS = 120;

    public const PAYMENT_PATH = '/v2/topup';
    /** POST operations that may be repeated: a payment by its refid, an order by its reference, and those that set a value. */
    private const REPEATABLE_POSTS = [
        self::PAYMENT_PATH,
        '/v2/orders',
        '/v2/callback-url',
        '/v2/low-balance-threshold',
    ];
    /** Moves of an order: a second one finds the order moved. */
    private const MOVES_ORDER = '#^/v2/orders/[^/]+/(confirm|cancel)$#D';
    /** PUT operations whose first answer alone shows a secret: a repetition would hide it. */
    private const SHOWS_SECRET = '#^/v2/[a-z]+-webhook$#D';
    private const UNAVAILABLE = 503;

    /**
     * Returns the seconds to wait before the next attempt, or null: do not repeat.
     *
     * @param int $attempt counts from 1
     * @param ?int $status null when no answer came
     * @param \Closure(): float $random from 0 to 1
     */
    public static function decide(
        string $method,
        string $path,
        int $attempt,
        ?int $status,
        ?int $retryAfter,
        float $baseSeconds,
        \Closure $random,
    ): ?float {
        if ($attempt >= self::ATTEMPTS_MAX || !self::mayRepeat($method, $path, $status)) {
            return null;
        }
        if (($retryAfter ?? 0) > self::RETRY_AFTER_MAX_SECONDS) {
            return null;
        }
        $longest = $baseSeconds * 2 ** ($attempt - 1);
        return max($longest / 2 + $random() * $longest / 2, (float) ($retryAfter ?? 0));
    }

    private static function mayRepeat(string $method, string $path, ?int $status): bool
    {
        if ($status === null) {
            return self::isRepeatable($method, $path);
        }
        return $status >= 500 && ($status === self::UNAVAILABLE || self::isRepeatable($method, $path));
    }

    /** True if sending the request twice has the effect of sending it once. */
    public static function isRepeatable(string $method, string $path): bool
    {
        if ($method === 'POST') {
            return in_array($path, self::REPEATABLE_POSTS, true) || preg_match(self::MOVES_ORDER, $path) === 1;
        }
        return $method !== 'PUT' || preg_match(self::SHOWS_SECRET, $path) !== 1;
    }

    public static function isPayment(string $method, string $path): bool
    {
        return $method === 'POST' && $path === self::PAYMENT_PATH;
    }

    /** True if the request may have been carried out although it was not answered well. */
    public static function isUncertain(string $method, string $path, ?int $status): bool
    {
        if ($method === 'GET') {
            return false;
        }
        // Below 400 is no refusal: a redirect, or a good answer that cannot be understood.
        if ($status === null || $status < 400) {
            return true;
        }
        // A payment's refid was not looked up before a 503: an earlier attempt may have created it.
        return $status >= 500 && ($status !== self::UNAVAILABLE || self::isPayment($method, $path));
    }
}
