<?php

declare(strict_types=1);

namespace Warung;

/**
 * Generators over all pages of the lists. Nouns are generators; `list…` and `get…` are single pages. `limit` is the
 * size of a page. A payment or entry that moves to the next page while you read comes once.
 */
trait Lists
{
    /**
     * Payments of a day or a range of days, newest first.
     *
     * @param list<string>|null $status
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function transactions(
        string $date,
        ?array $status = null,
        ?string $account = null,
        ?string $product = null,
        int $limit = 500,
    ): \Generator {
        $given = compact('date', 'status', 'account', 'product', 'limit');
        return self::once('trxid', (function () use ($given, $limit): \Generator {
            for ($offset = 0; ; $offset += $limit) {
                $rows = $this->operation('listTransactions', $given + ['offset' => $offset])['data'];
                foreach ($rows as $row) {
                    yield $row;
                }
                if (count($rows) < $limit) {
                    return;
                }
            }
        })());
    }

    /**
     * Entries of the balance statement, newest first.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function statement(string $date, ?string $type = null, int $limit = 500): \Generator
    {
        return self::once('id', $this->byPage('getBalanceStatement', compact('date', 'type', 'limit'), 'data'));
    }

    /**
     * Options of a select field. `more` has the other parameters of `getOptions`.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function options(string $product_code, string $field_id, int $limit = 1000, mixed ...$more): \Generator
    {
        return $this->byPage('getOptions', compact('product_code', 'field_id', 'limit') + $more, 'items');
    }

    /**
     * Options of a field of a product. `$values` are the answers so far, which a dynamic field depends on.
     *
     * @param array<string, mixed> $product
     * @param array<string, mixed> $values
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function optionsFor(array $product, string $fieldId, array $values = []): \Generator
    {
        $sources = array_column($product['fields'], 'data_source', 'id');
        $source = $sources[$fieldId]
            ?? throw new \InvalidArgumentException("{$product['code']} has no select field $fieldId");
        $query = ['product_code' => $product['code'], 'field_id' => $fieldId];
        foreach ($source['params'] as $name => $origin) {
            $value = $origin['static'] ?? $values[$origin['from_field']] ?? '';
            if ($value === '') {
                throw new \InvalidArgumentException("$fieldId depends on {$origin['from_field']}: fill it first");
            }
            $query[$name] = is_array($value) ? $value['code'] : $value;
        }
        return $this->options(...$query);
    }

    /**
     * Billers of bill payment.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function billers(
        ?string $biller_code = null,
        ?string $suggested_category = null,
        int $limit = 1000,
    ): \Generator {
        return $this->byPage('listBillers', compact('biller_code', 'suggested_category', 'limit'), 'data');
    }

    /**
     * Disputes and voids, newest first.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function cases(
        ?string $state = null,
        ?string $kind = null,
        ?string $from = null,
        ?string $to = null,
        int $limit = 100,
    ): \Generator {
        return $this->byCursor('listCases', compact('state', 'kind', 'from', 'to', 'limit'), 'data', 'has_more');
    }

    /**
     * Orders of the checkout, newest first.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function orders(
        ?string $status = null,
        ?string $reference = null,
        ?string $user_id = null,
        ?string $from = null,
        ?string $to = null,
        int $limit = 100,
    ): \Generator {
        $given = compact('status', 'reference', 'user_id', 'from', 'to', 'limit');
        return $this->byCursor('listOrders', $given, 'data', 'has_more');
    }

    /**
     * Deliveries of callbacks, newest first: `status`, `from`, `to`, `search`, `limit`.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function callbackDeliveries(mixed ...$given): \Generator
    {
        return $this->byCursor('listCallbackDeliveries', $given + ['limit' => 100], 'deliveries', 'hasMore');
    }

    /**
     * Deliveries of the balance webhook, newest first: `status`, `from`, `to`, `search`, `limit`.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function balanceWebhookDeliveries(mixed ...$given): \Generator
    {
        return $this->byCursor('listBalanceWebhookDeliveries', $given + ['limit' => 100], 'deliveries', 'hasMore');
    }

    /**
     * Deliveries of the catalogue webhook, newest first: `status`, `from`, `to`, `search`, `limit`.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function catalogWebhookDeliveries(mixed ...$given): \Generator
    {
        return $this->byCursor('listCatalogWebhookDeliveries', $given + ['limit' => 100], 'deliveries', 'hasMore');
    }

    /**
     * Deliveries of the order webhook, newest first: `status`, `from`, `to`, `search`, `limit`.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function orderWebhookDeliveries(mixed ...$given): \Generator
    {
        return $this->byCursor('listOrderWebhookDeliveries', $given + ['limit' => 100], 'deliveries', 'hasMore');
    }

    /**
     * Events up to now, oldest first.
     *
     * @return \Generator<int, array<string, mixed>>
     */
    public function events(int $after = 0, int $limit = 500): \Generator
    {
        do {
            $page = $this->operation('listEvents', compact('after', 'limit'));
            foreach ($page['data'] as $event) {
                yield $event;
            }
            $after = $page['next'];
        } while ($page['has_more']);
    }

    /** @param array<string, mixed> $given */
    private function byPage(string $operation, array $given, string $key): \Generator
    {
        for ($number = 1; ; $number++) {
            $page = $this->operation($operation, ['page' => $number] + $given);
            foreach ($page[$key] as $row) {
                yield $row;
            }
            if ($number >= $page['meta']['last_page']) {
                return;
            }
        }
    }

    /** @param array<string, mixed> $given */
    private function byCursor(string $operation, array $given, string $key, string $more): \Generator
    {
        $cursor = null;
        do {
            $page = $this->operation($operation, ['cursor' => $cursor] + $given);
            foreach ($page[$key] as $row) {
                yield $row;
            }
            $cursor = $page['cursor'];
        } while ($page[$more] && $cursor !== null);
    }

    private static function once(string $id, \Generator $rows): \Generator
    {
        $seen = [];
        foreach ($rows as $row) {
            if (!isset($seen[$row[$id]])) {
                $seen[$row[$id]] = true;
                yield $row;
            }
        }
    }
}
