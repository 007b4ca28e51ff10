<?php

declare(strict_types=1);

namespace Warung;

/** A whole answer of the service. */
final class Answer
{
    /** @param array<string, string> $headers by lower-case name */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }
}
