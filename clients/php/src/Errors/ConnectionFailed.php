<?php

declare(strict_types=1);

namespace Warung\Errors;

/** No answer to a read. */
final class ConnectionFailed extends WarungError
{
}
