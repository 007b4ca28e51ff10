<?php

declare(strict_types=1);

namespace Warung;

/**
 * HTTP/1.1 over PHP's own sockets, with one deadline for the whole exchange. Each request has its own connection: one
 * that broke cannot spoil the next request. PHP's `http://` wrapper is not used, because it does not notice that a body
 * was cut off, and its timeout starts anew with every piece.
 */
final class HttpTransport implements Transport
{
    private const ANSWER_BYTES_MAX = 64 * 1024 * 1024;
    private const CHUNK_BYTES = 65536;

    /** @param array<string, mixed> $sslOptions of PHP's `ssl` stream context, such as `cafile` */
    public function __construct(private readonly array $sslOptions = [])
    {
    }

    public function send(string $method, string $url, array $headers, string $body, float $timeoutSeconds): Answer
    {
        $deadline = microtime(true) + $timeoutSeconds;
        $parts = parse_url($url);
        if (!is_array($parts) || !isset($parts['host']) || !in_array($parts['scheme'] ?? '', ['http', 'https'], true)) {
            throw new \InvalidArgumentException('baseUrl begins with https:// or http://');
        }
        $socket = $this->connect($parts, $timeoutSeconds, $deadline);
        try {
            $this->write($socket, $this->requestText($method, $parts, $headers, $body), $deadline);
            return $this->read($socket, $deadline);
        } finally {
            fclose($socket);
        }
    }

    /**
     * @param array<string, mixed> $parts
     *
     * @return resource
     */
    private function connect(array $parts, float $timeoutSeconds, float $deadline)
    {
        $isSecure = $parts['scheme'] === 'https';
        $address = ($isSecure ? 'tls://' : 'tcp://') . $parts['host'] . ':' . ($parts['port'] ?? ($isSecure ? 443 : 80));
        $context = stream_context_create(['ssl' => $this->sslOptions + ['peer_name' => trim($parts['host'], '[]')]]);
        // A warning says why: of a certificate it has more than $text.
        error_clear_last();
        $socket = @stream_socket_client($address, $code, $text, $timeoutSeconds, STREAM_CLIENT_CONNECT, $context);
        if ($socket === false) {
            $reason = $text !== '' ? $text : (error_get_last()['message'] ?? 'no reason was given');
            $isLate = microtime(true) >= $deadline;
            throw new NoAnswer("no connection: $reason", $isLate ? 'timeout' : 'connection');
        }
        stream_set_blocking($socket, false);
        return $socket;
    }

    /**
     * @param array<string, mixed> $parts
     * @param array<string, string> $headers
     */
    private function requestText(string $method, array $parts, array $headers, string $body): string
    {
        $target = ($parts['path'] ?? '/') . (isset($parts['query']) ? '?' . $parts['query'] : '');
        $host = $parts['host'] . (isset($parts['port']) ? ':' . $parts['port'] : '');
        $lines = ["$method $target HTTP/1.1", "Host: $host", 'Connection: close'];
        if ($body !== '' || !in_array($method, ['GET', 'DELETE'], true)) {
            $lines[] = 'Content-Length: ' . strlen($body);
        }
        foreach ($headers as $name => $value) {
            if (preg_match('/[\r\n]/', $name . $value) === 1) {
                throw new \InvalidArgumentException("the header $name has a line break");
            }
            $lines[] = "$name: $value";
        }
        return implode("\r\n", $lines) . "\r\n\r\n" . $body;
    }

    /** @param resource $socket */
    private function write($socket, string $text, float $deadline): void
    {
        while ($text !== '') {
            $this->await($socket, $deadline, false);
            $count = @fwrite($socket, $text);
            if ($count === false) {
                // The service may have answered before it read everything, so the answer is looked for.
                return;
            }
            $text = substr($text, $count);
        }
    }

    /** @param resource $socket */
    private function read($socket, float $deadline): Answer
    {
        $bytes = '';
        $answer = null;
        while ($answer === null) {
            $this->await($socket, $deadline, true);
            $piece = @fread($socket, self::CHUNK_BYTES);
            if ($piece === false || ($piece === '' && feof($socket))) {
                return AnswerParser::parse($bytes, isEnded: true)
                    ?? throw new NoAnswer('the connection broke before the whole answer came', 'connection');
            }
            $bytes .= $piece;
            if (strlen($bytes) > self::ANSWER_BYTES_MAX) {
                throw new NoAnswer('the answer is too large', 'connection');
            }
            $answer = AnswerParser::mayBeWhole($bytes) ? AnswerParser::parse($bytes) : null;
        }
        return $answer;
    }

    /** @param resource $socket */
    private function await($socket, float $deadline, bool $isReading): void
    {
        $left = $deadline - microtime(true);
        if ($left <= 0) {
            throw new NoAnswer('no answer in time', 'timeout');
        }
        $read = $isReading ? [$socket] : null;
        $write = $isReading ? null : [$socket];
        $except = null;
        // TLS may hold bytes that select does not see; fread is tried again after this at the latest.
        $slice = min($left, 0.25);
        @stream_select($read, $write, $except, (int) $slice, (int) (($slice - (int) $slice) * 1_000_000));
    }
}
