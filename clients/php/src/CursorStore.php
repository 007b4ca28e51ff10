<?php

declare(strict_types=1);

namespace Warung;

/** Store of the sequence that was handled last. */
interface CursorStore
{
    /** Returns null when nothing was saved yet. */
    public function load(): ?int;

    public function save(int $sequence): void;
}
