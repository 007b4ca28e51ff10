import type { Database } from '../../../db/database.ts'
import type { EventReader, EventRef, LoadedEvent } from '../types.ts'
import type { FeedQuery } from './feed.rules.ts'
import { pageOf, startOfPage } from './feed.rules.ts'
import { findLatestSequence, listFeedEntries, listSpansBefore } from './feed.sql.ts'

export type FeedEvent = {
  readonly sequence: bigint
  readonly ref: EventRef
  /** Undefined: the record of the event is no longer kept. */
  readonly event: LoadedEvent | undefined
}

export type FeedPage = {
  readonly events: readonly FeedEvent[]
  /** Sequence to pass as `after` for the next page. */
  readonly next: bigint
  readonly hasMore: boolean
}

export type Feed = {
  list(resellerId: bigint, query: FeedQuery): Promise<FeedPage>
  /** Lists the last events before a number, oldest first; null: the newest of all. */
  listBefore(resellerId: bigint, before: bigint | null, limit: number): Promise<FeedPage>
  /** The newest sequence; 0 when there is none. */
  findLatest(resellerId: bigint): Promise<bigint>
}

export function createFeed({ database, reader }: { database: Database; reader: EventReader }): Feed {
  async function list(resellerId: bigint, query: FeedQuery): Promise<FeedPage> {
    const { after, limit } = query
    // Two rows more than the page: the first row may end before `after`, and the last one shows whether more follow.
    const entries = await listFeedEntries(database, resellerId, after + 1n, limit + 2)
    const { refs, hasMore } = pageOf(entries, query)
    const loaded = await reader.read(refs.map(({ ref }) => ref))
    const events = refs.map((each, index) => ({ ...each, event: loaded[index] }))
    return { events, next: refs.at(-1)?.sequence ?? after, hasMore }
  }

  return {
    list,
    async listBefore(resellerId, before, limit) {
      const latest = await findLatestSequence(database, resellerId)
      const end = before === null || before > latest ? latest + 1n : before
      // A page back is a page forward from the number before its first event. A restore leaves out numbers.
      const after = startOfPage(await listSpansBefore(database, resellerId, end, limit), end, limit)
      const page = await list(resellerId, { after, limit })
      const events = page.events.filter(({ sequence }) => sequence < end)
      return { events, next: events.at(-1)?.sequence ?? after, hasMore: end <= latest }
    },
    findLatest: (resellerId) => findLatestSequence(database, resellerId),
  }
}
