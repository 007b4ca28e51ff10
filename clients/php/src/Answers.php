<?php

declare(strict_types=1);

namespace Warung;

use Warung\Errors\AuthenticationFailed;
use Warung\Errors\Conflict;
use Warung\Errors\ConnectionFailed;
use Warung\Errors\Forbidden;
use Warung\Errors\InvalidRequest;
use Warung\Errors\NotFound;
use Warung\Errors\PaymentRejected;
use Warung\Errors\RefidConflict;
use Warung\Errors\ServiceFault;
use Warung\Errors\ServiceUnavailable;
use Warung\Errors\TooManyRequests;
use Warung\Errors\UnknownOutcome;
use Warung\Errors\WarungError;

/** Meaning of an answer, after the retry policy has decided not to repeat the request. */
final class Answers
{
    /** Rejections that the same payment may overcome: after a deposit, a delivery of stock, a few seconds. */
    private const MAY_SUCCEED_LATER = [43, 45, 49];
    private const WAIT = 'Send it again later, as it is.';
    private const REPEAT = 'Send the same again: it has no second effect.';
    private const LOOK = 'Look whether it was carried out before you repeat it.';
    private const HTTP_DATE = '/^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/D';

    /**
     * Returns the body of a good answer, of a payment the payment itself; throws the error of any other.
     *
     * @param array<string, string> $headers
     */
    public static function resultOf(string $method, string $path, int $status, mixed $body, array $headers): mixed
    {
        if (Retry::isPayment($method, $path)) {
            $payment = self::paymentIn($body);
            if ($payment !== null && $status !== 409) {
                return $payment;
            }
        } elseif ($status >= 200 && $status < 300) {
            return $body;
        }
        throw self::errorOf($method, $path, $status, is_array($body) ? $body : [], $headers);
    }

    /** The error of a request that got no answer. */
    public static function unanswered(string $method, string $path, NoAnswer $failure): WarungError
    {
        $message = $failure->getMessage();
        if (Retry::isUncertain($method, $path, null)) {
            return self::unknown($method, $path, $message, ['previous' => $failure]);
        }
        $token = $failure->failure === 'timeout' ? 'timeout' : 'connection_failed';
        return new ConnectionFailed($message, $token, remedy: self::WAIT, retrySafe: true, previous: $failure);
    }

    /**
     * Returns the seconds of `Retry-After`, or null. A date, which proxies send, counts from the `Date` of the same
     * answer: the local clock may be wrong.
     *
     * @param array<string, string> $headers
     */
    public static function retryAfterOf(array $headers): ?int
    {
        $text = $headers['retry-after'] ?? '';
        if (ctype_digit($text)) {
            return (int) $text;
        }
        $until = self::timeOf($text);
        $now = self::timeOf($headers['date'] ?? '');
        return $until === null || $now === null ? null : max(0, $until - $now);
    }

    private static function timeOf(string $text): ?int
    {
        $time = preg_match(self::HTTP_DATE, $text) === 1 ? strtotime($text) : false;
        return $time === false ? null : $time;
    }

    /**
     * The payment that an answer describes, whatever its status; null when it describes none that exists.
     *
     * @return ?array<string, mixed>
     */
    public static function paymentIn(mixed $body): ?array
    {
        $data = is_array($body) ? ($body['data'] ?? null) : null;
        return is_array($data) && is_string($data['transaction_id'] ?? null) ? $data : null;
    }

    /** @param array<string, mixed> $known */
    private static function unknown(string $method, string $path, string $message, array $known): UnknownOutcome
    {
        $isSafe = Retry::isRepeatable($method, $path);
        return new UnknownOutcome($message, ...$known, remedy: $isSafe ? self::REPEAT : self::LOOK, retrySafe: $isSafe);
    }

    /**
     * @param array<string, mixed> $body
     * @param array<string, string> $headers
     */
    private static function errorOf(
        string $method,
        string $path,
        int $status,
        array $body,
        array $headers,
    ): WarungError {
        $known = ['status' => $status, 'requestId' => $headers['x-request-id'] ?? null];
        $message = is_string($body['message'] ?? null) ? $body['message'] : "the service answered $status";
        if (Retry::isPayment($method, $path)) {
            $found = self::paymentError($status, $body, $message, $known);
            if ($found !== null) {
                return $found;
            }
        }
        $isForeign = Retry::isPayment($method, $path) && self::isForeign($body);
        if (Retry::isUncertain($method, $path, $status) || $isForeign) {
            return self::unknown($method, $path, $message, $known);
        }
        return self::statusError($status, $body, $message, $known, self::retryAfterOf($headers));
    }

    /**
     * True for an answer that the service did not write: a proxy may have replaced the true one.
     *
     * @param array<string, mixed> $body
     */
    private static function isForeign(array $body): bool
    {
        return !isset($body['data']) && !isset($body['error']) && !isset($body['message']);
    }

    /**
     * @param array<string, mixed> $body
     * @param array<string, mixed> $known
     */
    private static function paymentError(int $status, array $body, string $message, array $known): ?WarungError
    {
        $data = is_array($body['data'] ?? null) ? $body['data'] : [];
        $code = $data['statusCode'] ?? null;
        if (!is_int($code)) {
            return null;
        }
        $known += ['payment' => $data, 'errors' => self::fieldErrors($body), 'statusCode' => $code];
        if ($status === 409) {
            $remedy = 'Use a new refid for another payment, or send the payment as it was first sent.';
            return new RefidConflict($message, ...$known, token: 'refid_conflict', remedy: $remedy);
        }
        if ($status !== 400 || isset($data['transaction_id'])) {
            return null;
        }
        $token = is_string($data['remarks'] ?? null) ? $data['remarks'] : 'rejected';
        $isSafe = in_array($code, self::MAY_SUCCEED_LATER, true);
        return new PaymentRejected($message, ...$known, token: $token, retrySafe: $isSafe);
    }

    /**
     * @param array<string, mixed> $body
     * @param array<string, mixed> $known
     */
    private static function statusError(
        int $status,
        array $body,
        string $message,
        array $known,
        ?int $retryAfter,
    ): WarungError {
        $given = $body['error'] ?? $body['code'] ?? null;
        $token = is_string($given) ? $given : null;
        $errors = self::fieldErrors($body);
        $later = $known + ['retryAfterSeconds' => $retryAfter, 'retrySafe' => true, 'remedy' => self::WAIT];
        $correct = 'Correct what `errors` names.';
        return match (true) {
            $status === 401 => new AuthenticationFailed(
                $message,
                $body['debug'] ?? null,
                ...$known,
                token: $token ?? 'unauthorized',
                retrySafe: $token === 'nonce_reused',
            ),
            $status === 403 => new Forbidden($message, $retryAfter, ...$known, token: $token ?? 'forbidden'),
            $status === 404 => new NotFound($message, $errors, ...$known, token: $token ?? 'not_found'),
            $status === 409 => new Conflict($message, $errors, ...$known, token: $token ?? 'conflict'),
            $status === 429 => new TooManyRequests($message, ...$later, token: $token ?? 'too_many_requests'),
            $status === 503 => new ServiceUnavailable($message, ...$later, token: 'service_unavailable'),
            $status >= 500 => new ServiceFault(
                $message,
                ...$known,
                token: 'service_fault',
                remedy: self::WAIT,
                retrySafe: true,
            ),
            default => new InvalidRequest(
                $message,
                $errors,
                ...$known,
                token: $token ?? 'invalid_request',
                remedy: $correct,
            ),
        };
    }

    /**
     * @param array<string, mixed> $body
     *
     * @return array<string, list<string>>
     */
    private static function fieldErrors(array $body): array
    {
        return is_array($body['errors'] ?? null) ? $body['errors'] : [];
    }
}
