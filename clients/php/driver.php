<?php

// Driver of the common test suite: reads commands, one JSON object in a line, and writes results.
// The protocol is in packages/acceptance/src/sdk/driver.md.

declare(strict_types=1);

require __DIR__ . '/autoload.php';

use Warung\Client;
use Warung\CursorStore;
use Warung\Errors\WarungError;
use Warung\FileCursor;
use Warung\Forms;
use Warung\Inbox;
use Warung\Signing;
use Warung\WebhookEvent;
use Warung\Webhooks;

final class Driver
{
    private Client $client;
    private array $settings = [];

    public function hello(): array
    {
        return ['client' => 'php', 'version' => Client::VERSION];
    }

    public function configure(array $command): void
    {
        $this->settings = $given = $command['settings'];
        $wrongBy = $given['clockOffsetSeconds'] ?? 0;
        $more = ['now' => static fn (): float => microtime(true) + $wrongBy];
        if (isset($given['timeoutMs'])) {
            $more['timeoutSeconds'] = $given['timeoutMs'] / 1000;
        }
        if (isset($given['retryBaseMs'])) {
            $more['retryBaseSeconds'] = $given['retryBaseMs'] / 1000;
        }
        $this->client = new Client($given['baseUrl'], $given['apiKey'], $given['signingSecret'], ...$more);
    }

    public function operation(array $command): mixed
    {
        return $this->client->operation($command['name'], $command['input'] ?? []);
    }

    public function call(array $command): array
    {
        $answer = $this->client->call(
            $command['method'],
            $command['path'],
            $command['query'] ?? [],
            $command['body'] ?? null,
        );
        return ['status' => $answer->status, 'requestId' => $answer->requestId, 'body' => $answer->body];
    }

    public function getProduct(array $command): array
    {
        return $this->client->getProduct($command['code']);
    }

    public function optionsFor(array $command): array
    {
        $options = $this->client->optionsFor($command['product'], $command['field'], $command['values'] ?? []);
        return iterator_to_array($options, false);
    }

    public function buildPayment(array $command): array
    {
        return Forms::buildPayment($command['product'], $command['values'], ...$command['options']);
    }

    public function pay(array $command): array
    {
        return $this->client->pay($command['payment']);
    }

    public function payAndWait(array $command): array
    {
        $more = [];
        if (isset($command['timeoutMs'])) {
            $more['timeoutSeconds'] = $command['timeoutMs'] / 1000;
        }
        if (isset($command['pollScheduleMs'])) {
            $seconds = static fn (int $ms): float => $ms / 1000;
            $more['pollScheduleSeconds'] = array_map($seconds, $command['pollScheduleMs']);
        }
        return $this->client->payAndWait($command['payment'], ...$more);
    }

    public function list(array $command): array
    {
        $items = [];
        foreach ($this->client->{$command['iterator']}(...($command['input'] ?? [])) as $item) {
            $items[] = $item;
            if (count($items) === ($command['max'] ?? null)) {
                break;
            }
        }
        return $items;
    }

    public function followEvents(array $command): array
    {
        $store = new class ($command['storeFile'], $command['dieBeforeSaving'] ?? null) implements CursorStore {
            public int $saved = 0;
            private FileCursor $file;

            public function __construct(string $path, private ?int $dieBeforeSaving)
            {
                $this->file = new FileCursor($path);
            }

            public function load(): ?int
            {
                return $this->file->load();
            }

            public function save(int $sequence): void
            {
                if (++$this->saved === $this->dieBeforeSaving) {
                    exit(7);
                }
                $this->file->save($sequence);
            }
        };
        $handled = [];
        $handle = static function (array $event) use (&$handled, $command): void {
            $line = ['sequence' => $event['sequence'], 'id' => $event['id'], 'type' => $event['type']];
            file_put_contents($command['storeFile'] . '.handled', json_encode($line) . "\n", FILE_APPEND);
            $handled[] = $line;
        };
        $this->client->followEvents(
            $store,
            $handle,
            static fn (): bool => $store->saved >= $command['max'],
            ($command['pauseMs'] ?? 5000) / 1000,
        );
        return $handled;
    }

    public function verifyWebhook(array $command): array
    {
        $given = $command['request'];
        $event = Webhooks::verify(
            $given['method'] ?? 'POST',
            $given['url'] ?? '',
            $given['headers'],
            $given['body'] ?? '',
            $command['secrets'],
            $command['toleranceSeconds'] ?? 300,
            $command['now'] ?? null,
        );
        return [
            'stream' => $event->stream,
            'id' => $event->id,
            'signedAt' => $event->signedAt,
            'isTest' => $event->isTest,
            'payload' => $event->payload,
        ];
    }

    public function inbox(array $command): array
    {
        $inbox = new Inbox();
        $accept = static fn (array $each): string => $inbox->accept(
            new WebhookEvent($each['stream'], $each['id'], 0, false, $each['payload']),
        );
        return array_map($accept, $command['events']);
    }

    public function sign(array $command): array
    {
        return Signing::signRequest(
            $this->settings['apiKey'],
            $this->settings['signingSecret'],
            $command['method'],
            $command['query'] ?? '',
            $command['body'] ?? '',
            (int) $command['timestamp'],
            $command['nonce'],
        );
    }

    public function clock(): array
    {
        return ['offsetMs' => $this->client->clockOffsetSeconds() * 1000];
    }
}

function describe(WarungError $error): array
{
    $described = [
        'class' => (new ReflectionClass($error))->getShortName(),
        'token' => $error->token,
        'code' => $error->statusCode,
        'status' => $error->status,
        'requestId' => $error->requestId,
        'remedy' => $error->remedy,
        'retrySafe' => $error->retrySafe,
        'message' => $error->getMessage(),
    ];
    foreach (['errors', 'payment', 'refid', 'problems', 'retryAfterSeconds'] as $name) {
        if (property_exists($error, $name)) {
            // An empty list of mistakes by field is an object.
            $described[$name] = $name === 'errors' ? (object) $error->$name : $error->$name;
        }
    }
    return $described;
}

$driver = new Driver();
while (($line = fgets(STDIN)) !== false) {
    $command = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    try {
        $result = ['id' => $command['id'], 'ok' => $driver->{$command['do']}($command)];
    } catch (WarungError $error) {
        $result = ['id' => $command['id'], 'error' => describe($error)];
    }
    echo json_encode($result, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE), "\n";
}
