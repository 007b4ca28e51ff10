<?php

declare(strict_types=1);

namespace Warung\Errors;

/** 400, 413 and other refusals of a request that is wrong. */
final class InvalidRequest extends WarungError
{
    /** @param array<string, list<string>> $errors mistakes by field; empty when no field is at fault */
    public function __construct(string $message, public readonly array $errors = [], mixed ...$known)
    {
        parent::__construct($message, ...$known);
    }
}
