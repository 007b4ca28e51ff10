<?php

declare(strict_types=1);

namespace Warung;

/** Clock of the client, corrected by the service's own. */
final class Clock
{
    /** Smaller differences are left alone: `Date` is in whole seconds, and an answer takes its time. */
    private const TOLERATED_SECONDS = 60;
    private const HALF_SECOND = 0.5;

    private float $offsetSeconds = 0.0;

    /** @param \Closure(): float $now local Unix time in seconds */
    public function __construct(private readonly \Closure $now)
    {
    }

    /** Unix time in whole seconds, as a signature needs it. */
    public function seconds(): int
    {
        return (int) floor($this->time());
    }

    public function time(): float
    {
        return ($this->now)() + $this->offsetSeconds;
    }

    /** Seconds by which the local clock is corrected. */
    public function offsetSeconds(): float
    {
        return $this->offsetSeconds;
    }

    /** Takes the `Date` of an answer. `$isRefused`: the service said that the time was wrong. */
    public function learn(?string $date, bool $isRefused): void
    {
        $server = $date === null ? false : strtotime($date);
        if ($server === false) {
            return;
        }
        $found = $server + self::HALF_SECOND - ($this->now)();
        if ($isRefused || abs($found - $this->offsetSeconds) > self::TOLERATED_SECONDS) {
            $this->offsetSeconds = $found;
        }
    }
}
