<?php

declare(strict_types=1);

namespace Warung;

/** No whole answer came. `failure` is `connection` or `timeout`. */
final class NoAnswer extends \Exception
{
    public function __construct(string $message, public readonly string $failure)
    {
        parent::__construct($message);
    }
}
