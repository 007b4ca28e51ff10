<?php

declare(strict_types=1);

namespace Warung\Errors;

/** 401. In staging `debug` has the text that the service expected to be signed. */
final class AuthenticationFailed extends WarungError
{
    /** @param ?array<string, string> $debug */
    public function __construct(string $message, public readonly ?array $debug = null, mixed ...$known)
    {
        parent::__construct($message, ...$known);
    }
}
