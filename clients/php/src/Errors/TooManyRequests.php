<?php

declare(strict_types=1);

namespace Warung\Errors;

/** 429: wait for `retryAfterSeconds`. */
final class TooManyRequests extends WarungError
{
    public function __construct(string $message, public readonly ?int $retryAfterSeconds = null, mixed ...$known)
    {
        parent::__construct($message, ...$known);
    }
}
