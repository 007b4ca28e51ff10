<?php

declare(strict_types=1);

namespace Warung;

/** Second of the latest attempt of a payment that got no answer; 0 while there is none. */
final class Unanswered
{
    public int $second = 0;

    /** @param int $earlier the same of earlier calls with this payment */
    public function __construct(public readonly int $earlier = 0)
    {
    }
}
