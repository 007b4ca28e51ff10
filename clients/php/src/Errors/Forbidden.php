<?php

declare(strict_types=1);

namespace Warung\Errors;

/** 403: blocked or foreign address, missing scope. */
final class Forbidden extends WarungError
{
    public function __construct(string $message, public readonly ?int $retryAfterSeconds = null, mixed ...$known)
    {
        parent::__construct($message, ...$known);
    }
}
