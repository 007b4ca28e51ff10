<?php

declare(strict_types=1);

namespace Warung\Errors;

/** The values do not fit the product's form. Nothing was sent. */
final class InvalidPayment extends WarungError
{
    /** @param list<array{field: string, message: string}> $problems in the order of the form */
    public function __construct(public readonly array $problems)
    {
        $remedy = 'Correct the fields that `problems` names.';
        parent::__construct(implode('; ', array_column($problems, 'message')), 'invalid_payment', remedy: $remedy);
    }
}
