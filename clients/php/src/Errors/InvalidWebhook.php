<?php

declare(strict_types=1);

namespace Warung\Errors;

/** The request is not one of ours, or cannot be proved to be. Answer 503, so that it is tried again. */
final class InvalidWebhook extends WarungError
{
    public function __construct(string $token, string $message)
    {
        $remedy = 'Answer 503: it is tried again, and a secret that was just rotated is known by then.';
        parent::__construct($message, $token, remedy: $remedy);
    }
}
