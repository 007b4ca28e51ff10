<?php

declare(strict_types=1);

namespace Warung\Errors;

/** The payment was refused and does not exist: its refid is free. */
final class PaymentRejected extends WarungError
{
    /**
     * @param array<string, mixed> $payment as it was refused
     * @param array<string, list<string>> $errors mistakes by field
     */
    public function __construct(
        string $message,
        public readonly array $payment = [],
        public readonly array $errors = [],
        mixed ...$known,
    ) {
        parent::__construct($message, ...$known);
    }
}
