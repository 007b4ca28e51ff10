<?php

declare(strict_types=1);

namespace Warung;

/** One request: signed anew for each attempt, repeated as the policy says. */
final class Exchange
{
    /** Greatest difference between the time of a signature and the service's own. */
    private const WINDOW_SECONDS = 300;
    private const NO_CONTENT = 204;

    public readonly Clock $clock;
    public readonly LostAttempts $lost;

    /**
     * @param array<string, string> $headers
     * @param \Closure(array<string, mixed>): void $onAttempt
     * @param \Closure(): float $now
     * @param \Closure(float): void $sleep
     * @param \Closure(): float $random
     */
    public function __construct(
        private readonly string $baseUrl,
        private readonly string $apiKey,
        #[\SensitiveParameter] private readonly string $signingSecret,
        private array $headers,
        private float $timeoutSeconds,
        private readonly float $retryBaseSeconds,
        private readonly Transport $transport,
        private readonly \Closure $onAttempt,
        \Closure $now,
        private readonly \Closure $sleep,
        private readonly \Closure $random,
    ) {
        $this->clock = new Clock($now);
        $this->lost = new LostAttempts();
    }

    /** Dumps of a client are logged: they do not show the secret. @return array<string, mixed> */
    public function __debugInfo(): array
    {
        return ['baseUrl' => $this->baseUrl, 'apiKey' => $this->apiKey, 'clock' => $this->clock];
    }

    /** @param array<string, string> $headers */
    public function with(?float $timeoutSeconds, array $headers): self
    {
        $other = clone $this;
        $other->timeoutSeconds = $timeoutSeconds ?? $this->timeoutSeconds;
        $other->headers = $headers + $this->headers;
        return $other;
    }

    public function sleep(float $seconds): void
    {
        ($this->sleep)($seconds);
    }

    /** Sends until there is an answer or the policy ends. `$unanswered` learns of attempts without an answer. */
    public function send(
        string $method,
        string $path,
        string $query,
        string $body,
        bool $isOpen = false,
        ?Unanswered $unanswered = null,
    ): CallAnswer {
        if ($unanswered === null && Retry::isPayment($method, $path)) {
            $unanswered = new Unanswered();
        }
        $request = new Request($method, $path, $query, $body, $isOpen);
        for ($attempt = 1; ; $attempt++) {
            $after = $unanswered === null ? 0 : max($unanswered->second, $unanswered->earlier);
            if ($this->clock->seconds() === $after) {
                $this->awaitNextSecond();
            }
            [$result, $signedAt] = $this->attempt($attempt, $request, $after);
            $answer = $result instanceof CallAnswer ? $result : null;
            if ($answer !== null && ($answer->status < 500 || self::describesPayment($method, $path, $answer))) {
                return $answer;
            }
            if ($unanswered !== null) {
                $unanswered->second = $signedAt;
            }
            $retryAfter = $answer === null ? null : Answers::retryAfterOf($answer->headers);
            $policy = [$this->retryBaseSeconds, $this->random];
            $wait = Retry::decide($method, $path, $attempt, $answer?->status, $retryAfter, ...$policy);
            if ($wait !== null) {
                $this->sleep($wait);
                continue;
            }
            if ($unanswered !== null && $this->clock->seconds() <= $signedAt) {
                // The caller may send the payment again at once, and then it must be signed in a later second as well.
                $this->awaitNextSecond();
            }
            return $answer ?? throw Answers::unanswered($method, $path, $result);
        }
    }

    /**
     * Returns the second of the next signature. An unanswered payment that is still on its way must be older, by its
     * signature, than the one that is sent now: else it could be carried out after this one was rejected. A clock that
     * was set back in between is not waited for: the service takes a second that is a little ahead. Where it would not,
     * it does not take the earlier signature either.
     */
    private function secondLaterThan(int $after): int
    {
        $second = $this->clock->seconds();
        return $second <= $after && $after - $second < self::WINDOW_SECONDS ? $after + 1 : $second;
    }

    private function awaitNextSecond(): void
    {
        $time = $this->clock->time();
        $this->sleep(1 - ($time - floor($time)));
    }

    private static function describesPayment(string $method, string $path, CallAnswer $answer): bool
    {
        return Retry::isPayment($method, $path) && Answers::paymentIn($answer->body) !== null;
    }

    /** @return array{CallAnswer|NoAnswer, int} with the second of the signature */
    private function attempt(int $attempt, Request $request, int $after): array
    {
        $sent = fn (int $second): array => [$this->sendOnce($attempt, $request, $second), $second];
        $first = $sent($this->secondLaterThan($after));
        // No retry: nothing was done, and the clock is right now.
        return $first[0] instanceof CallAnswer && self::isTimeRefused($first[0])
            ? $sent($this->secondLaterThan($after))
            : $first;
    }

    private function sendOnce(int $attempt, Request $request, int $second): CallAnswer|NoAnswer
    {
        $startedAt = hrtime(true);
        $note = function (array $more) use ($request, $attempt, $startedAt): void {
            $duration = (hrtime(true) - $startedAt) / 1e9;
            $made = ['method' => $request->method, 'path' => $request->path, 'attempt' => $attempt];
            ($this->onAttempt)($made + ['duration' => $duration] + $more);
        };
        try {
            $headers = $this->headersFor($request, $second);
            $url = $request->url($this->baseUrl);
            $raw = $this->transport->send($request->method, $url, $headers, $request->body, $this->timeoutSeconds);
            $answer = new CallAnswer($raw->status, $raw->headers, self::parse($raw));
        } catch (NoAnswer $failure) {
            $note(['failure' => $failure->failure]);
            return $failure;
        }
        $this->clock->learn($answer->headers['date'] ?? null, self::isTimeRefused($answer));
        $note(['status' => $answer->status, 'requestId' => $answer->requestId]);
        return $answer;
    }

    /** @return array<string, string> */
    private function headersFor(Request $request, int $second): array
    {
        $headers = ['Accept' => 'application/json'] + $this->headers;
        if ($request->body !== '') {
            $headers['Content-Type'] = 'application/json';
        }
        if ($request->isOpen) {
            return $headers;
        }
        $signed = [$request->method, $request->query, $request->body, $second];
        return Signing::signRequest($this->apiKey, $this->signingSecret, ...$signed) + $headers;
    }

    private static function isTimeRefused(CallAnswer $answer): bool
    {
        $error = is_array($answer->body) ? ($answer->body['error'] ?? null) : null;
        return $answer->status === 401 && $error === 'timestamp_expired';
    }

    /** Parses an answer. JSON that is cut, also to nothing, or a good answer in another form, is no answer at all. */
    private static function parse(Answer $raw): mixed
    {
        if ($raw->body === '' && ($raw->status === self::NO_CONTENT || $raw->status >= 300)) {
            return null;
        }
        try {
            return Json::decode($raw->body);
        } catch (\JsonException) {
            $isJson = str_contains($raw->headers['content-type'] ?? '', 'json');
            if ($isJson || $raw->status < 300) {
                throw new NoAnswer('the answer cannot be read', 'connection');
            }
            return $raw->body;
        }
    }
}
