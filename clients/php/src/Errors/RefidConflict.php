<?php

declare(strict_types=1);

namespace Warung\Errors;

/** The refid belongs to another payment. Nothing was created or changed. */
final class RefidConflict extends WarungError
{
    /**
     * @param array<string, mixed> $payment the one that has the refid
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
