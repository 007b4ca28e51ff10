<?php

declare(strict_types=1);

namespace Warung\Errors;

use Warung\Remedies;

/** Anything that this package throws about the service. */
class WarungError extends \RuntimeException
{
    public readonly ?string $remedy;

    /**
     * @param string $token stable word, such as `Insufficient_Balance` or `invalid_signature`
     * @param ?int $statusCode status code of a payment, such as 43
     * @param ?int $status HTTP status; null when no answer came
     * @param ?string $requestId names the request in the operator's log
     * @param ?string $remedy what to do about it
     * @param bool $retrySafe the same call may be repeated as it is: nothing can happen twice, and it may succeed
     */
    public function __construct(
        string $message,
        public readonly string $token,
        public readonly ?int $statusCode = null,
        public readonly ?int $status = null,
        public readonly ?string $requestId = null,
        ?string $remedy = null,
        public readonly bool $retrySafe = false,
        ?\Throwable $previous = null,
    ) {
        // `getCode()` is the payment's code too, as PHP's own exceptions have it.
        parent::__construct($message, $statusCode ?? 0, $previous);
        $this->remedy = Remedies::BY_TOKEN[$token] ?? $remedy;
    }
}
