import type { Database } from '../../db/database.ts'
import type { FeedQuery } from './feed.rules.ts'
import { pageOf } from './feed.rules.ts'
import { findLatestSequence, listFeedEntries } from './feed.sql.ts'
import type { EventReader, EventRef, ToldEvent } from './types.ts'

export type FeedEvent = {
  readonly sequence: bigint
  readonly ref: EventRef
  /** Undefined: what it was about is no longer kept. */
  readonly told: ToldEvent | undefined
}

export type FeedPage = {
  readonly events: readonly FeedEvent[]
  /** What to ask after next. */
  readonly next: bigint
  readonly hasMore: boolean
}

export type Feed = {
  list(resellerId: bigint, query: FeedQuery): Promise<FeedPage>
  /** The newest sequence; 0 when there is none. */
  findLatest(resellerId: bigint): Promise<bigint>
}

export function createFeed({ database, reader }: { database: Database; reader: EventReader }): Feed {
  return {
    async list(resellerId, query) {
      const { after, limit } = query
      // The first row may hold nothing new; one more than the page tells whether there is more.
      const entries = await listFeedEntries(database, resellerId, after + 1n, limit + 2)
      const { refs, hasMore } = pageOf(entries, query)
      const told = await reader.read(refs.map(({ ref }) => ref))
      const events = refs.map((each, index) => ({ ...each, told: told[index] }))
      return { events, next: refs.at(-1)?.sequence ?? after, hasMore }
    },
    findLatest: (resellerId) => findLatestSequence(database, resellerId),
  }
}
