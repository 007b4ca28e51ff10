<?php

declare(strict_types=1);

namespace Warung;

/** Request before it is signed: the same for all its attempts. */
final class Request
{
    public function __construct(
        public readonly string $method,
        public readonly string $path,
        public readonly string $query,
        public readonly string $body,
        /** True: the operation takes no credentials. */
        public readonly bool $isOpen,
    ) {
    }

    public function url(string $baseUrl): string
    {
        return $baseUrl . $this->path . ($this->query === '' ? '' : "?$this->query");
    }
}
