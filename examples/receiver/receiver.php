<?php

// A receiver of callbacks and webhooks: verifies, keeps each event once, and answers.
// Run: php -S 127.0.0.1:8081 examples/receiver/receiver.php

declare(strict_types=1);

require __DIR__ . '/../../clients/php/autoload.php';

use Warung\Errors\InvalidWebhook;
use Warung\WebhookEvent;
use Warung\Webhooks;

/** Keeps an event in a file of its own. Returns false if it was kept before. */
function keep(WebhookEvent $event, string $folder): bool
{
    if (!is_dir($folder)) {
        @mkdir($folder, 0700, true);
    }
    $path = $folder . '/' . hash('sha256', $event->id) . '.json';
    $draft = $path . '.' . bin2hex(random_bytes(8));
    $file = fopen($draft, 'x');
    $kept = ['stream' => $event->stream, 'id' => $event->id, 'isTest' => $event->isTest, 'payload' => $event->payload];
    $text = json_encode($kept, JSON_THROW_ON_ERROR);
    if ($file === false || fwrite($file, $text) !== strlen($text) || !fsync($file)) {
        throw new RuntimeException('the event cannot be kept');
    }
    fclose($file);
    // A link never replaces a file: of two equal deliveries one wins, and a crash leaves no half of an event.
    $isNew = @link($draft, $path);
    unlink($draft);
    if (!$isNew && !is_file($path)) {
        throw new RuntimeException('the event cannot be kept');
    }
    return $isNew;
}

// Two secrets while a rotated one is in its grace period: WEBHOOK_SECRETS=whsec_new,whsec_old
$secrets = array_values(array_filter(explode(',', (string) getenv('WEBHOOK_SECRETS'))));
$folder = getenv('RECEIVER_DATA') ?: 'events';

try {
    $event = Webhooks::verify(
        $_SERVER['REQUEST_METHOD'],
        $_SERVER['REQUEST_URI'],
        getallheaders(),
        // A body that is longer is cut, and does not verify.
        (string) file_get_contents('php://input', length: 1_048_576),
        $secrets,
    );
    $isNew = keep($event, $folder);
    // A job of your shop reads the folder: the answer does not wait for its work. It passes samples over (isTest), which
    // somebody asked for: nothing happened.
    http_response_code(204);
    if ($isNew) {
        error_log(($event->isTest ? 'sample' : 'new') . " $event->stream $event->id " . ($event->payload['refid'] ?? $event->payload['type'] ?? ''));
    }
} catch (InvalidWebhook) {
    // Not 401: a 4xx is final, and with a secret that is out of date every event would be lost for good.
    http_response_code(503);
} catch (Throwable $error) {
    error_log((string) $error);
    http_response_code(503);
}
