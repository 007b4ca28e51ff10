<?php

declare(strict_types=1);

namespace Warung\Errors;

/** 503 to the last attempt: nothing was done. */
final class ServiceUnavailable extends WarungError
{
    public function __construct(string $message, public readonly ?int $retryAfterSeconds = null, mixed ...$known)
    {
        parent::__construct($message, ...$known);
    }
}
