<?php

function sign(string $secret, string $method, string $query, string $body, string $timestamp, string $nonce): array
{
    $bodyHash = base64_encode(hash('sha256', $body, true));
    $canonical = "v1:$timestamp:$nonce:" . strtoupper($method) . ':' . canonicalQuery($query) . ":$bodyHash";
    $mac = hash_hmac('sha256', $canonical, base64_decode($secret), true);
    return [$bodyHash, $canonical, 'v1=' . base64_encode($mac)];
}

/** Parameters that have a value, sorted by key. Sorting is stable (PHP 8): equal keys keep their order. */
function canonicalQuery(string $query): string
{
    $parts = array_filter(explode('&', $query), fn ($part) => preg_match('/=./s', $part) === 1);
    usort($parts, fn ($a, $b) => strcmp(strstr($a, '=', true), strstr($b, '=', true)));
    return implode('&', $parts);
}

function call(string $method, string $path, string $query = '', string $body = ''): array
{
    $timestamp = (string) time();
    $nonce = bin2hex(random_bytes(16));
    [, , $signature] = sign(getenv('SIGNING_SECRET'), $method, $query, $body, $timestamp, $nonce);
    $headers = [
        'X-Api-Key: ' . getenv('API_KEY'),
        "X-Timestamp: $timestamp",
        "X-Nonce: $nonce",
        "X-Signature: $signature",
        'Content-Type: application/json',
    ];
    $options = ['method' => $method, 'header' => $headers, 'content' => $body, 'ignore_errors' => true];
    $address = getenv('BASE_URL') . $path . ($query === '' ? '' : "?$query");
    return json_decode(file_get_contents($address, false, stream_context_create(['http' => $options])), true);
}
