<?php

declare(strict_types=1);

namespace Warung;

/** Answer of `call`, with the parsed body. */
final class CallAnswer
{
    public readonly ?string $requestId;

    /** @param array<string, string> $headers by lower-case name */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly mixed $body,
    ) {
        $this->requestId = $headers['x-request-id'] ?? null;
    }
}
