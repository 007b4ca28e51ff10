<?php

declare(strict_types=1);

namespace Warung;

use Warung\Errors\NotFound;
use Warung\Errors\PaymentRejected;
use Warung\Errors\RefidConflict;
use Warung\Errors\UnknownOutcome;
use Warung\Errors\WarungError;

/** Client of the Warung reseller API. Make one and keep it: it remembers how far the clock is off. */
final class Client
{
    use Operations;
    use Lists;
    use Feed;

    public const VERSION = '0.1.0';
    private const API_VERSION = '2026-09-16';
    /** Longer than the 29 seconds after which the service itself answers 504. */
    private const TIMEOUT_SECONDS = 35;

    private Exchange $exchange;

    /**
     * @param string $signingSecret in Base64, as the dashboard shows it
     * @param float $timeoutSeconds of one attempt
     * @param array<string, string> $headers sent with every request
     * @param ?callable(array<string, mixed>): void $onAttempt is called after each attempt, for logs
     * @param ?callable(): float $now local time in Unix seconds; a replacement for tests, as are $sleep and $random
     */
    public function __construct(
        string $baseUrl,
        string $apiKey,
        #[\SensitiveParameter] string $signingSecret,
        string $apiVersion = self::API_VERSION,
        float $timeoutSeconds = self::TIMEOUT_SECONDS,
        float $retryBaseSeconds = Retry::BASE_SECONDS,
        array $headers = [],
        ?Transport $transport = null,
        ?callable $onAttempt = null,
        ?callable $now = null,
        ?callable $sleep = null,
        ?callable $random = null,
    ) {
        foreach (compact('baseUrl', 'apiKey', 'signingSecret') as $name => $value) {
            if ($value === '') {
                throw new \InvalidArgumentException("Client needs $name");
            }
        }
        if (preg_match('#^https?://#', $baseUrl) !== 1) {
            throw new \InvalidArgumentException('baseUrl begins with https:// or http://');
        }
        Signing::decodeSecret($signingSecret);
        $this->exchange = new Exchange(
            rtrim($baseUrl, '/'),
            $apiKey,
            $signingSecret,
            $headers + ['X-API-Version' => $apiVersion],
            $timeoutSeconds,
            $retryBaseSeconds,
            $transport ?? new HttpTransport(),
            self::closure($onAttempt, static fn (array $attempt) => null),
            self::closure($now, static fn (): float => microtime(true)),
            self::closure($sleep, static fn (float $seconds) => usleep((int) ($seconds * 1_000_000))),
            self::closure($random, static fn (): float => random_int(0, PHP_INT_MAX) / PHP_INT_MAX),
        );
    }

    private static function closure(?callable $given, \Closure $default): \Closure
    {
        return $given === null ? $default : \Closure::fromCallable($given);
    }

    /**
     * Returns a client with another timeout or more headers, for single calls. It shares the clock.
     *
     * @param array<string, string> $headers
     */
    public function withOptions(?float $timeoutSeconds = null, array $headers = []): self
    {
        $other = clone $this;
        $other->exchange = $this->exchange->with($timeoutSeconds, $headers);
        return $other;
    }

    /** Seconds by which the local clock is corrected. */
    public function clockOffsetSeconds(): float
    {
        return $this->exchange->clock->offsetSeconds();
    }

    // ── Operations ──

    /**
     * Calls an operation by its name, with its parameters or its body. Returns the answer's body.
     *
     * @param array<string, mixed> $input
     */
    public function operation(string $name, array $input = []): mixed
    {
        [$method, $path, $hasBody, $isOpen] = self::$routes[$name]
            ?? throw new \InvalidArgumentException("there is no operation $name");
        if (Retry::isPayment($method, $path)) {
            return $this->pay($input);
        }
        $values = $input;
        $fill = static function (array $match) use (&$values, $name): string {
            $value = (string) ($values[$match[1]] ?? '');
            unset($values[$match[1]]);
            return $value === '' ? throw new \InvalidArgumentException("$name needs $match[1]") : rawurlencode($value);
        };
        $path = preg_replace_callback('/\{(\w+)\}/', $fill, $path);
        $query = $hasBody ? '' : Signing::encodeQuery($values);
        $answer = $this->exchange->send($method, $path, $query, $hasBody ? Json::encode($values) : '', $isOpen);
        return Answers::resultOf($method, $path, $answer->status, $answer->body, $answer->headers);
    }

    /**
     * Signs and sends any request. Returns every answer, good or bad. A text is sent as it is, an array as JSON.
     *
     * @param array<string, mixed> $query
     * @param array<string, mixed>|string|null $body
     * @param array<string, string> $headers
     */
    public function call(
        string $method,
        string $path,
        array $query = [],
        array|string|null $body = null,
        array $headers = [],
    ): CallAnswer {
        [$ownPath, $ownQuery] = explode('?', $path, 2) + [1 => ''];
        $whole = implode('&', array_filter([$ownQuery, Signing::encodeQuery($query)], 'strlen'));
        $text = is_array($body) ? Json::encode($body) : (string) $body;
        return $this->exchange->with(null, $headers)->send(strtoupper($method), $ownPath, $whole, $text);
    }

    // ── Payments ──

    /** True for `Succesful` and `Failed`: nothing changes by itself any more. @param array<string, mixed> $payment */
    public static function isFinal(array $payment): bool
    {
        return in_array($payment['status'], ['Succesful', 'Failed'], true);
    }

    /**
     * Sends a payment and returns it as it is then. To ask for its status, call it again with the same payment.
     *
     * A returned payment exists. PaymentRejected: certainly nothing exists, and the refid is free. UnknownOutcome:
     * nobody knows yet; keep the customer's money, and send the same payment again, as often as it takes.
     *
     * @param array<string, mixed> $payment
     *
     * @return array<string, mixed>
     */
    public function pay(array $payment): array
    {
        return $this->sendPayment($payment, $this->beginning($payment));
    }

    /**
     * Sends a payment and asks again until it is `Succesful` or `Failed`, and returns it.
     *
     * Unanswered attempts are waited out. When the time is over, it throws UnknownOutcome with the payment as it was
     * last seen: call it again with the same payment.
     *
     * @param array<string, mixed> $payment
     * @param list<int|float> $pollScheduleSeconds
     * @param ?callable(array<string, mixed>): void $onStatus is called with every state that the service shows
     *
     * @return array<string, mixed>
     */
    public function payAndWait(
        array $payment,
        float $timeoutSeconds = Retry::PAY_TIMEOUT_SECONDS,
        array $pollScheduleSeconds = Retry::POLL_SCHEDULE_SECONDS,
        ?callable $onStatus = null,
    ): array {
        $endsAt = microtime(true) + $timeoutSeconds;
        $unanswered = $this->beginning($payment);
        $last = null;
        $cause = null;
        for ($question = 0; ; $question++) {
            try {
                $last = $this->sendPayment($payment, $unanswered);
                if ($onStatus !== null) {
                    $onStatus($last);
                }
                if (self::isFinal($last)) {
                    return $last;
                }
            } catch (WarungError $error) {
                // A payment that was seen exists: a refused question says nothing about it.
                if (!$error instanceof UnknownOutcome && $last === null) {
                    throw $error;
                }
                $cause = $error;
            }
            $wait = (float) $pollScheduleSeconds[min($question, count($pollScheduleSeconds) - 1)];
            if (microtime(true) + $wait > $endsAt) {
                throw self::uncertain($payment, $last, $cause);
            }
            $this->exchange->sleep($wait);
        }
    }

    /**
     * @param array<string, mixed> $payment
     *
     * @return array<string, mixed>
     */
    private function sendPayment(array $payment, Unanswered $unanswered): array
    {
        $path = Retry::PAYMENT_PATH;
        try {
            $answer = $this->exchange->send('POST', $path, '', Json::encode($payment), false, $unanswered);
            return Answers::resultOf('POST', $path, $answer->status, $answer->body, $answer->headers);
        } catch (PaymentRejected | RefidConflict $error) {
            // The service judged the payment itself.
            throw $error;
        } catch (WarungError $error) {
            // Nonces are made anew: with a used one, a copy of this request came first, and may have been carried out.
            $saysNothing = $error instanceof UnknownOutcome || $error->token === 'nonce_reused';
            if (!$saysNothing && $unanswered->second === 0) {
                throw $error;
            }
            // An answer that says nothing counts as none: a later refusal cannot make it certain.
            $unanswered->second = $unanswered->second ?: $this->exchange->clock->seconds();
            // Any other refusal says nothing about an earlier attempt without an answer.
            throw self::uncertain($payment, null, $error);
        } finally {
            if ($unanswered->second > 0) {
                $this->exchange->lost->note(self::refidOf($payment), $unanswered->second);
            }
        }
    }

    /** @param array<string, mixed> $payment */
    private function beginning(array $payment): Unanswered
    {
        return new Unanswered($this->exchange->lost->latest(self::refidOf($payment)));
    }

    /** @param array<string, mixed> $payment */
    private static function refidOf(array $payment): string
    {
        return is_scalar($payment['refid'] ?? null) ? (string) $payment['refid'] : '';
    }

    /**
     * @param array<string, mixed> $payment
     * @param ?array<string, mixed> $seen
     */
    private static function uncertain(array $payment, ?array $seen, ?WarungError $cause): UnknownOutcome
    {
        $refid = is_string($payment['refid'] ?? null) ? $payment['refid'] : null;
        $status = $seen === null ? 'got no certain answer' : "is {$seen['status']}";
        return new UnknownOutcome(
            "the payment $refid $status",
            $refid,
            $seen,
            status: $cause?->status,
            requestId: $cause?->requestId,
            remedy: 'Do not give the money back. Send the same payment with the same refid again, until it has ended.',
            retrySafe: true,
            previous: $cause,
        );
    }

    /**
     * Returns a product of the catalogue, with its form.
     *
     * @return array<string, mixed>
     */
    public function getProduct(string $code): array
    {
        $product = $this->getCatalog(product_code: $code)['products'][$code] ?? null;
        return $product ?? throw new NotFound("there is no product $code", token: 'not_found');
    }
}
