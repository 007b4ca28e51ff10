<?php

declare(strict_types=1);

namespace Warung\Errors;

/** Events were lost: the follower was away for longer than the feed keeps them. */
final class FeedGap extends WarungError
{
    public function __construct(public readonly int $after, public readonly int $next)
    {
        parent::__construct(
            "the feed goes on with event $next, and the last one handled was $after",
            'feed_gap',
            remedy: 'Compare your records with the history and the catalogue, then save the cursor anew.',
        );
    }
}
