<?php

declare(strict_types=1);

namespace Warung;

/** Store of small texts by key. */
interface InboxStore
{
    /** Returns null for a key that is not known. */
    public function get(string $key): ?string;

    public function set(string $key, string $value): void;
}
