<?php

declare(strict_types=1);

namespace Warung;

use Warung\Errors\ConnectionFailed;
use Warung\Errors\FeedGap;
use Warung\Errors\ServiceFault;
use Warung\Errors\ServiceUnavailable;
use Warung\Errors\TooManyRequests;

/** Follower of the event feed: every event at least once, in order, across crashes. */
trait Feed
{
    /**
     * Calls `$handle` with each event, and saves the cursor after it has returned, until `$stop()` is true.
     *
     * After a crash between the two the event comes again, with the same `id`. Faults of the network are waited out.
     * FeedGap: events were lost, because the follower was away for longer than the feed is kept.
     *
     * @param callable(array<string, mixed>): void $handle
     * @param ?callable(): bool $stop
     */
    public function followEvents(
        CursorStore $store,
        callable $handle,
        ?callable $stop = null,
        float $pauseSeconds = 5,
        int $limit = 100,
    ): void {
        $isEnded = $stop ?? static fn (): bool => false;
        $after = $store->load() ?? 0;
        $faults = 0;
        while (!$isEnded()) {
            $page = $this->readFeed($after, $limit);
            if ($page === null) {
                // The longest pause after faults of the network or the service is a minute.
                $this->exchange->sleep(min($pauseSeconds * 2 ** ++$faults, 60.0));
                continue;
            }
            $faults = 0;
            foreach ($page['data'] as $event) {
                if ($isEnded()) {
                    return;
                }
                // A new follower begins with the oldest event that is kept, whatever its number.
                if ($after > 0 && $event['sequence'] > $after + 1) {
                    throw new FeedGap($after, $event['sequence']);
                }
                $handle($event);
                $store->save($event['sequence']);
                $after = $event['sequence'];
            }
            if (!$page['has_more'] && !$isEnded()) {
                $this->exchange->sleep($pauseSeconds);
            }
        }
    }

    /** @return ?array<string, mixed> null: the service cannot be reached now, or takes no more requests */
    private function readFeed(int $after, int $limit): ?array
    {
        try {
            return $this->operation('listEvents', compact('after', 'limit'));
        } catch (ConnectionFailed | ServiceFault | ServiceUnavailable | TooManyRequests) {
            return null;
        }
    }
}
