<?php

// Golden cases that hold every client of ours. Run: php clients/php/tests/vectors.php

declare(strict_types=1);

require __DIR__ . '/../autoload.php';

use Warung\Answer;
use Warung\AnswerParser;
use Warung\Client;
use Warung\Errors\InvalidPayment;
use Warung\Errors\InvalidWebhook;
use Warung\Errors\WarungError;
use Warung\Forms;
use Warung\Inbox;
use Warung\Json;
use Warung\NoAnswer;
use Warung\Remedies;
use Warung\Retry;
use Warung\Signing;
use Warung\Transport;
use Warung\WebhookEvent;
use Warung\Webhooks;

$folder = $argv[1] ?? __DIR__ . '/../../../packages/sdk/vectors';
$counts = ['cases' => 0, 'failures' => 0];

function vectors(string $name): array
{
    $text = file_get_contents("{$GLOBALS['folder']}/$name.json");
    return json_decode($text, true, 512, JSON_THROW_ON_ERROR);
}

function check(string $name, mixed $found, mixed $wanted): void
{
    $GLOBALS['counts']['cases']++;
    // Numbers and texts are compared with their types; the order of members does not matter.
    if (sorted($found) !== sorted($wanted)) {
        $GLOBALS['counts']['failures']++;
        fwrite(STDERR, "$name\n  found  " . json_encode($found) . "\n  wanted " . json_encode($wanted) . "\n");
    }
}

function sorted(mixed $value): mixed
{
    if (!is_array($value)) {
        return $value;
    }
    if (!array_is_list($value)) {
        ksort($value);
    }
    return array_map('sorted', $value);
}

/** Calls the function; returns its value, or what the error of this class is turned into. */
function caught(callable $work, string $class, callable $describe): mixed
{
    try {
        return $work();
    } catch (WarungError $error) {
        return $error instanceof $class ? $describe($error) : throw $error;
    }
}

function bytesOf(?array $body): string
{
    return match (true) {
        $body === null => '',
        isset($body['utf8']) => $body['utf8'],
        isset($body['base64']) => base64_decode($body['base64']),
        default => str_repeat(chr($body['generator']['byte']), $body['generator']['length']),
    };
}

/** Client whose service answers every request in the same way, and whose time passes only by sleeping. */
function clientOf(array $answer): Client
{
    $transport = new class ($answer) implements Transport {
        public function __construct(private array $answer)
        {
        }

        public function send(string $method, string $url, array $headers, string $body, float $timeout): Answer
        {
            $isText = is_string($this->answer['body']);
            $text = $isText ? $this->answer['body'] : json_encode($this->answer['body']);
            $type = ['content-type' => $isText ? 'text/html' : 'application/json'];
            return new Answer($this->answer['status'], $this->answer['headers'] + $type, $text);
        }
    };
    $seconds = 1767225600.0;
    return new Client(
        'http://service.example',
        'k',
        base64_encode('secret'),
        transport: $transport,
        now: static function () use (&$seconds): float {
            return $seconds;
        },
        sleep: static function (float $more) use (&$seconds): void {
            $seconds += $more;
        },
    );
}

foreach (vectors('signing')['cases'] as $one) {
    $body = bytesOf($one['body']);
    check("body hash {$one['name']}", Signing::bodyHash($body), $one['body_hash']);
    $parts = [$one['timestamp'], $one['nonce'], $one['method'], $one['query'], $body];
    check("canonical string {$one['name']}", Signing::canonicalString(...$parts), $one['canonical_string']);
    $request = ['k', $one['secret'], $one['method'], $one['query'], $body, (int) $one['timestamp'], $one['nonce']];
    check("signature {$one['name']}", Signing::signRequest(...$request)['X-Signature'], $one['signature']);
}

foreach (vectors('queries')['cases'] as $one) {
    check("query {$one['name']}", Signing::encodeQuery($one['input']), $one['wire']);
}

foreach (vectors('webhooks')['cases'] as $one) {
    $given = $one['request'];
    $verify = static function () use ($given, $one): array {
        $parts = [$given['method'] ?? 'POST', $given['url'] ?? '', $given['headers'], $given['body'] ?? ''];
        $event = Webhooks::verify(...$parts, secrets: $one['secrets'], now: $one['now']);
        $found = ['stream' => $event->stream, 'id' => $event->id, 'signed_at' => $event->signedAt];
        return ['ok' => true, 'is_test' => $event->isTest, 'payload' => $event->payload] + $found;
    };
    $found = caught($verify, InvalidWebhook::class, static fn ($error) => ['ok' => false, 'token' => $error->token]);
    check("webhook {$one['name']}", array_intersect_key($found, $one['expect']), $one['expect']);
}

foreach (vectors('webhooks')['body_signatures'] as $one) {
    $found = Webhooks::verifyBodySignature($one['body'], $one['header'], $one['secrets']);
    check("body signature {$one['name']}", $found, $one['ok']);
}

foreach (vectors('inbox')['cases'] as $one) {
    $inbox = new Inbox();
    $accept = static fn (array $each): string => $inbox->accept(
        new WebhookEvent($each['stream'], $each['id'], 0, false, $each['payload']),
    );
    check("inbox {$one['name']}", array_map($accept, $one['arrivals']), $one['verdicts']);
}

foreach (vectors('forms')['cases'] as $one) {
    $found = caught(
        static fn () => ['payment' => Forms::buildPayment($one['product'], $one['values'], ...$one['options'])],
        InvalidPayment::class,
        static fn ($error) => ['problems' => $error->problems],
    );
    check("form {$one['name']}", $found, $one['expect']);
}

$orderId = 'ord_0123456789abcdefghjkmnpq';
foreach (vectors('answers')['cases'] as $one) {
    $client = clientOf($one['answer']);
    $ask = [
        '/v2/balance' => static fn () => $client->getBalance(),
        '/v2/topup' => static fn () => $client->pay(['refid' => 'A-1']),
        '/v2/transactions/check' => static fn () => $client->disputeTransaction(['refid' => 'A-1']),
        '/v2/orders' => static fn () => $client->createOrder(['reference' => 'A-1']),
        "/v2/orders/$orderId/confirm" => static fn () => $client->confirmOrder($orderId, [
            'payment_reference' => 'bank-1',
        ]),
    ][$one['request']['path']];
    $found = caught(static fn () => ['payment' => $ask()], WarungError::class, static fn ($error) => [
        'error' => (new ReflectionClass($error))->getShortName(),
        'code' => $error->statusCode,
        'token' => $error->token,
        'retry_safe' => $error->retrySafe,
        'retry_after' => $error->retryAfterSeconds ?? null,
    ]);
    check("answer {$one['name']}", $found, $one['expect']);
}

foreach (vectors('retries')['cases'] as $one) {
    $decide = static fn (float $value): ?float => Retry::decide(
        $one['request']['method'],
        $one['request']['path'],
        $one['attempt'],
        $one['outcome']['status'] ?? null,
        $one['outcome']['retry_after'] ?? null,
        0.5,
        static fn (): float => $value,
    );
    $wait = $one['expect']['wait_ms'] ?? null;
    $wanted = $wait === null ? [null, null] : [$wait['min'] / 1000.0, $wait['max'] / 1000.0];
    check("retry {$one['name']}", [$decide(0), $decide(1)], array_map(static fn ($ms) => $ms === null ? null : (float) $ms, $wanted));
}

$statuses = ['Accepted', 'Processing', 'Succesful', 'Failed'];
$isFinal = static fn (string $status): bool => Client::isFinal(['status' => $status]);
check('numbers of the policy', array_column(vectors('retries')['settings'], 'value', 'name'), [
    'attempts_max' => Retry::ATTEMPTS_MAX,
    'retry_after_max_seconds' => Retry::RETRY_AFTER_MAX_SECONDS,
    'poll_schedule_ms' => array_map(static fn (int $each): int => $each * 1000, Retry::POLL_SCHEDULE_SECONDS),
    'final_statuses' => array_values(array_filter($statuses, $isFinal)),
]);

$routes = (new ReflectionClass(Client::class))->getStaticPropertyValue('routes');
$operations = vectors('operations')['operations'];
foreach ($operations as $one) {
    $route = [$one['method'], $one['path'], $one['hasBody'] ?? false, $one['isOpen'] ?? false];
    check("operation {$one['operation']}", $routes[$one['operation']] ?? null, $route);
    check("method {$one['operation']}", method_exists(Client::class, $one['operation']), true);
}
check('number of operations', count($routes), count($operations));
check('remedies', Remedies::BY_TOKEN, vectors('remedies')['remedies']);

/**
 * Pays, or does this work, with a service that answers by this script; null is no answer. Returns the payment and the
 * signed seconds.
 */
function payBy(array $script, ?callable $work = null): array
{
    $transport = new class ($script) implements Transport {
        public array $seconds = [];

        public function __construct(private array $script)
        {
        }

        public function send(string $method, string $url, array $headers, string $body, float $timeout): Answer
        {
            $this->seconds[] = (int) $headers['X-Timestamp'];
            [$status, $content, $more] = array_shift($this->script) ?? throw new NoAnswer('lost', 'connection');
            $text = $content === '' ? '' : json_encode($content);
            return new Answer($status, $more + ['content-type' => 'application/json'], $text);
        }
    };
    $seconds = 1767225600.0;
    $client = new Client(
        'http://service.example',
        'k',
        base64_encode('secret'),
        transport: $transport,
        now: static function () use (&$seconds): float {
            return $seconds;
        },
        sleep: static function (float $more) use (&$seconds): void {
            $seconds += $more;
        },
    );
    $moveClock = static function (float $more) use (&$seconds): void {
        $seconds += $more;
    };
    return [$work === null ? $client->pay(['refid' => 'A-1']) : $work($client, $moveClock), $transport->seconds];
}

/** True if the work refuses its arguments. */
function isRefused(callable $work): bool
{
    try {
        $work();
        return false;
    } catch (InvalidArgumentException) {
        return true;
    }
}

$found = ['transaction_id' => '7', 'refid' => 'A-1', 'status' => 'Processing', 'statusCode' => 1];
foreach ([400, 500, 503] as $status) {
    [$paid, $signed] = payBy([[$status, ['data' => $found], []]]);
    check("payment in a $status is not asked for again", [$paid, count($signed)], [$found, 1]);
}
// The local clock is ten minutes fast, and then ten minutes slow.
foreach (['Wed, 31 Dec 2025 23:50:00 GMT', 'Thu, 01 Jan 2026 00:10:00 GMT'] as $date) {
    $refused = [401, ['error' => 'timestamp_expired', 'message' => 'No.'], ['date' => $date]];
    [, [, $lost, $repeated]] = payBy([$refused, null, [200, ['data' => $found], []]]);
    check("second of the attempt after $date", $repeated - $lost, 1);
}

// A clock that the answer set back is not waited for. The service still takes the first clock, and refuses the second one.
foreach (['Wed, 31 Dec 2025 23:56:00 GMT' => [1], 'Wed, 31 Dec 2025 23:00:00 GMT' => [-3600, -3599]] as $date => $later) {
    $faulty = [502, ['message' => 'No.'], ['date' => $date]];
    [, [$first, $second]] = payBy([$faulty, [200, ['data' => $found], []]]);
    check("clock set back by $date", in_array($second - $first, $later, true), true);
}

// Each attempt is signed later, also when the clock is set back between two calls.
foreach ([1, 60] as $back) {
    $setBack = static function (Client $client, \Closure $moveClock) use ($back): void {
        $again = static fn (array $payment) => $client->withOptions(timeoutSeconds: 1)->pay($payment);
        $wait = static fn (array $payment) => $client->payAndWait($payment, 0);
        foreach ([$client->pay(...), $again, $wait] as $send) {
            caught(static fn () => $send(['refid' => 'A-1']), \Warung\Errors\UnknownOutcome::class, static fn () => null);
            $moveClock(-$back);
        }
    };
    [, $signed] = payBy([], $setBack);
    $inOrder = array_values(array_unique($signed));
    sort($inOrder);
    check("seconds with a clock that is set back by $back", [count($signed), $signed], [12, $inOrder]);
}

// An answer that is cut to nothing is asked for again.
$balance = static fn (Client $client) => $client->getBalance();
[$asked] = payBy([[200, '', []], [200, ['data' => 1], []]], $balance);
check('answer that is cut to nothing', $asked, ['data' => 1]);

// A follower that asks too often waits.
$follow = static fn (Client $client) => $client->followEvents(
    new \Warung\FileCursor(sys_get_temp_dir() . '/warung-no-cursor-' . bin2hex(random_bytes(8))),
    static fn () => null,
);
$script = [[429, ['message' => 'No.'], []], [403, ['error' => 'ip_blocked'], []]];
$ended = caught(static fn () => payBy($script, $follow), WarungError::class, static fn ($error) => $error->token);
check('follower that asks too often', $ended, 'ip_blocked');

// A copy of the request came first, and may have been carried out.
try {
    payBy([[401, ['error' => 'nonce_reused', 'message' => 'No.'], []]]);
    check('payment after a used nonce', 'returned', 'unknown');
} catch (\Warung\Errors\UnknownOutcome) {
    check('payment after a used nonce', 'unknown', 'unknown');
}

foreach (['', 'whsec_'] as $secret) {
    check("secret '$secret' is refused", isRefused(fn () => Webhooks::sign('e1', 1, '{}', [$secret])), true);
}
$forged = 'sha256=' . hash_hmac('sha256', '{}', '');
check('forged body signature', isRefused(fn () => Webhooks::verifyBodySignature('{}', $forged, [''])), true);

// Dumps and traces are logged.
$client = new Client('http://service.example', 'k', 'c2VjcmV0LW9mLXRoZS1rZXk=');
ob_start();
var_dump($client);
check('dump of a client', str_contains(ob_get_clean() . print_r($client, true), 'c2VjcmV0'), false);
ini_set('zend.exception_ignore_args', '0');
ini_set('zend.exception_string_param_max_len', '15');
foreach (['verify', 'sign'] as $name) {
    $headers = ['webhook-id' => 'e1', 'webhook-timestamp' => '1', 'webhook-signature' => 'v1,x'];
    $work = ['verify' => ['POST', '/', $headers, '{}', ['whsec_no*base64'], 300, 1], 'sign' => ['e1', 1, '{}', ['whsec_no*base64']]];
    $trace = '';
    try {
        Webhooks::$name(...$work[$name]);
    } catch (InvalidArgumentException $error) {
        $trace = $error->getTraceAsString();
    }
    check("trace of $name", [str_contains($trace, 'signature'), str_contains($trace, 'whsec_')], [true, false]);
}

$item = ['product_code' => 'NOVA', 'extras' => []];
check('payment without extras', Json::encode(['refid' => 'A-1', 'extras' => []]), '{"refid":"A-1","extras":{}}');
check(
    'order without extras',
    Json::encode(['products' => [], 'items' => [$item]]),
    '{"products":[],"items":[{"product_code":"NOVA","extras":{}}]}',
);

$hinted = "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}";
check('answer after an interim one', AnswerParser::mayBeWhole($hinted), true);
check('half an answer after an interim one', AnswerParser::mayBeWhole(substr($hinted, 0, -1)), false);

// The end of the connection ends an answer without a length, and cuts one that has a length.
$open = "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n{}";
$cut = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}";
$chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n";
check('answer that may go on', AnswerParser::parse($open), null);
check('answer that the connection ended', AnswerParser::parse($open, true)?->body, '{}');
check('answers that the connection cut', [AnswerParser::parse($cut, true), AnswerParser::parse($chunked, true)], [null, null]);

$inbox = new Inbox();
$event = new WebhookEvent('callback', 'e1', 0, false, ['refid' => 'A-1', 'status' => 'Succesful', 'statusCode' => 20]);
$fail = static fn () => throw new InvalidArgumentException('the disk is full');
check('handling that fails', isRefused(fn () => $inbox->accept($event, $fail)), true);
$given = [];
(new Inbox())->accept($event, static function (WebhookEvent $each) use (&$given): void {
    $given[] = $each;
});
check('event that is handled', $given, [$event]);
check('event whose handling failed', [$inbox->accept($event), $inbox->accept($event)], ['new', 'duplicate']);

echo json_encode($counts), "\n";
exit($counts['failures'] === 0 && $counts['cases'] > 0 ? 0 : 1);
