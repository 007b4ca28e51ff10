<?php

declare(strict_types=1);

namespace Warung;

/** One HTTP exchange. Tests and proxies bring their own. */
interface Transport
{
    /**
     * Returns a whole answer. Redirects are not followed: a signature is for one address.
     *
     * @param array<string, string> $headers
     *
     * @throws NoAnswer
     */
    public function send(string $method, string $url, array $headers, string $body, float $timeoutSeconds): Answer;
}
