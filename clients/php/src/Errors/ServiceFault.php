<?php

declare(strict_types=1);

namespace Warung\Errors;

/** Another 5xx to a read. */
final class ServiceFault extends WarungError
{
}
