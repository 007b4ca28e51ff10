<?php

declare(strict_types=1);

namespace Warung;

/** Parser of an HTTP/1.1 answer as far as it has come. */
final class AnswerParser
{
    /** Returns false while a part is certainly missing: parsing a large answer after each piece would take long. */
    public static function mayBeWhole(string $bytes): bool
    {
        $end = strpos($bytes, "\r\n\r\n");
        if ($end === false) {
            return false;
        }
        // An interim answer has no body: the true one follows.
        if (preg_match('#^HTTP/1\.[01] 1\d\d#', $bytes) === 1) {
            return self::mayBeWhole(substr($bytes, $end + 4));
        }
        if (preg_match('/^content-length:\s*(\d+)/mi', substr($bytes, 0, $end), $match) === 1) {
            return strlen($bytes) >= $end + 4 + (int) $match[1];
        }
        return str_ends_with($bytes, "\r\n\r\n");
    }

    /**
     * Returns null while a part is missing. `$isEnded`: the connection was closed, which ends an answer that does not say
     * where it ends. JSON that was cut by it is found when it is read.
     */
    public static function parse(string $bytes, bool $isEnded = false): ?Answer
    {
        $end = strpos($bytes, "\r\n\r\n");
        if ($end === false) {
            return null;
        }
        $lines = explode("\r\n", substr($bytes, 0, $end));
        if (preg_match('#^HTTP/1\.[01] (\d{3})#', $lines[0], $match) !== 1) {
            throw new NoAnswer('what came is not HTTP', 'connection');
        }
        $status = (int) $match[1];
        $rest = substr($bytes, $end + 4);
        if ($status >= 100 && $status < 200) {
            return self::parse($rest, $isEnded);
        }
        $headers = self::headersOf(array_slice($lines, 1));
        $body = self::bodyOf($status, $headers, $rest, $isEnded);
        return $body === null ? null : new Answer($status, $headers, $body);
    }

    /**
     * @param list<string> $lines
     *
     * @return array<string, string>
     */
    private static function headersOf(array $lines): array
    {
        $headers = [];
        foreach ($lines as $line) {
            [$name, $value] = explode(':', $line, 2) + [1 => ''];
            $headers[strtolower(trim($name))] = trim($value);
        }
        return $headers;
    }

    /** @param array<string, string> $headers */
    private static function bodyOf(int $status, array $headers, string $rest, bool $isEnded): ?string
    {
        if ($status === 204 || $status === 304) {
            return '';
        }
        if (strtolower($headers['transfer-encoding'] ?? '') === 'chunked') {
            return self::unchunk($rest);
        }
        if (!isset($headers['content-length'])) {
            return $isEnded ? $rest : null;
        }
        $length = (int) $headers['content-length'];
        return strlen($rest) < $length ? null : substr($rest, 0, $length);
    }

    private static function unchunk(string $rest): ?string
    {
        $body = '';
        for ($at = 0; ;) {
            $end = strpos($rest, "\r\n", $at);
            if ($end === false) {
                return null;
            }
            $size = trim(explode(';', substr($rest, $at, $end - $at))[0]);
            if (!ctype_xdigit($size)) {
                throw new NoAnswer('what came is not HTTP', 'connection');
            }
            $length = (int) hexdec($size);
            if ($length === 0) {
                return strpos($rest, "\r\n", $end + 2) === false ? null : $body;
            }
            if (strlen($rest) < $end + 2 + $length + 2) {
                return null;
            }
            $body .= substr($rest, $end + 2, $length);
            $at = $end + 2 + $length + 2;
        }
    }
}
