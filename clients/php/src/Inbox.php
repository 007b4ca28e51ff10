<?php

declare(strict_types=1);

namespace Warung;

/** Order and repetition of deliveries: the same event can come twice, and an older state after a newer one. */
final class Inbox
{
    public function __construct(private readonly InboxStore $store = new MemoryStore())
    {
    }

    /**
     * Judges an event, calls `$handle` with it if it is new, and remembers it then: an event whose handling failed is new again
     * when it comes again. Answer 2xx to every verdict.
     *
     * @param ?callable(WebhookEvent): mixed $handle
     *
     * @return 'new'|'duplicate'|'stale' stale: an older state of the payment or of the catalogue, which came late
     */
    public function accept(WebhookEvent $event, ?callable $handle = null): string
    {
        $seen = "id:$event->id";
        if ($this->store->get($seen) !== null) {
            return 'duplicate';
        }
        [$subject, $rank] = self::stateOf($event);
        $isStale = $subject !== null && strcmp($this->store->get($subject) ?? '', $rank) > 0;
        if (!$isStale) {
            if ($handle !== null) {
                $handle($event);
            }
            if ($subject !== null) {
                $this->store->set($subject, $rank);
            }
        }
        // Last: after a crash in between, the event is new again.
        $this->store->set($seen, '1');
        return $isStale ? 'stale' : 'new';
    }

    /** @return array{?string, string} the thing that an event shows, and a text that grows from state to state */
    private static function stateOf(WebhookEvent $event): array
    {
        $payload = $event->payload;
        return match ($event->stream) {
            'callback' => ['payment:' . ($payload['refid'] ?? ''), self::paymentRank($payload)],
            'catalog' => [($payload['resource'] ?? '') . ':' . ($payload['id'] ?? ''), $payload['timestamp'] ?? ''],
            default => [null, ''],
        };
    }

    /** Processing comes before the end, and a void after success. @param array<string, mixed> $payment */
    private static function paymentRank(array $payment): string
    {
        if (($payment['statusCode'] ?? null) === 53) {
            return '3';
        }
        return in_array($payment['status'] ?? null, ['Succesful', 'Failed'], true) ? '2' : '1';
    }
}
