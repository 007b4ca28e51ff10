<?php

declare(strict_types=1);

namespace Warung\Errors;

/** The request may have been carried out, and nobody knows yet. It is not a failure. */
final class UnknownOutcome extends WarungError
{
    /**
     * @param ?string $refid of a payment: send the same payment again to learn its outcome
     * @param ?array<string, mixed> $payment as it was last seen, if it was seen at all
     */
    public function __construct(
        string $message,
        public readonly ?string $refid = null,
        public readonly ?array $payment = null,
        mixed ...$known,
    ) {
        parent::__construct($message, 'unknown_outcome', ...$known);
    }
}
