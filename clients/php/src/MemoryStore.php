<?php

declare(strict_types=1);

namespace Warung;

/** Store in memory. Use one that outlives the process where it matters: PHP's processes are short. */
final class MemoryStore implements InboxStore
{
    /** Keys that are kept; the oldest goes first. */
    private const KEYS_MAX = 100_000;

    /** @var array<string, string> */
    private array $values = [];

    public function get(string $key): ?string
    {
        return $this->values[$key] ?? null;
    }

    public function set(string $key, string $value): void
    {
        unset($this->values[$key]);
        $this->values[$key] = $value;
        if (count($this->values) > self::KEYS_MAX) {
            unset($this->values[array_key_first($this->values)]);
        }
    }
}
