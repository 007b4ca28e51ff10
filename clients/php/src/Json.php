<?php

declare(strict_types=1);

namespace Warung;

/** JSON as the service reads and writes it. Objects become arrays by name. */
final class Json
{
    /** @throws \JsonException */
    public static function decode(string $text): mixed
    {
        return json_decode($text, true, 512, JSON_THROW_ON_ERROR);
    }

    /** Encodes a body: an empty one is an object. @param array<string, mixed> $body */
    public static function encode(array $body): string
    {
        $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_PRESERVE_ZERO_FRACTION;
        return $body === [] ? '{}' : json_encode(self::withObjects($body), $flags);
    }

    /**
     * Extras are an object, also when there are none: PHP would write an empty array as a list, which is refused.
     *
     * @param array<mixed> $values
     *
     * @return array<mixed>
     */
    private static function withObjects(array $values): array
    {
        foreach ($values as $name => $value) {
            if (is_array($value)) {
                $values[$name] = $name === 'extras' && $value === [] ? new \stdClass() : self::withObjects($value);
            }
        }
        return $values;
    }
}
