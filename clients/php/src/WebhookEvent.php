<?php

declare(strict_types=1);

namespace Warung;

/** A verified delivery. */
final class WebhookEvent
{
    /**
     * @param string $stream `callback` (payload: the payment), `balance` and `order` (the event) or `catalog` (the envelope)
     * @param string $id the same in every attempt and replay: take each id once
     * @param int $signedAt Unix time of this attempt
     * @param bool $isTest true for a sample that you asked for
     * @param array<string, mixed> $payload
     */
    public function __construct(
        public readonly string $stream,
        public readonly string $id,
        public readonly int $signedAt,
        public readonly bool $isTest,
        public readonly array $payload,
    ) {
    }
}
