<?php

declare(strict_types=1);

namespace Warung;

/**
 * Memory between calls: a payment that is sent again must be signed later than each attempt that got no answer, also on
 * a machine whose clock was set back after the call before.
 */
final class LostAttempts
{
    /** Number of payments that are remembered. The one that was noted first is forgotten first. */
    public const MAX = 1000;

    /** @var array<array-key, int> */
    private array $seconds = [];

    /** Returns the latest second in which an unanswered attempt of the payment was signed; 0 if there is none. */
    public function latest(string $refid): int
    {
        return $this->seconds[$refid] ?? 0;
    }

    public function note(string $refid, int $second): void
    {
        unset($this->seconds[$refid]);
        $this->seconds[$refid] = $second;
        while (count($this->seconds) > self::MAX) {
            unset($this->seconds[array_key_first($this->seconds)]);
        }
    }
}
