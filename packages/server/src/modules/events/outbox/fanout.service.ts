import type { Database, Tx } from '../../../db/database.ts'
import { listPositionsOfChange } from '../../catalog/changes/positions.service.ts'
import type { FannedEvent, Fanout, Progress } from './fanout.sql.ts'
import { deleteFanouts, insertFannedOut, lockFanouts, saveFanouts } from './fanout.sql.ts'

/** Most accounts in one commit; they share `EVENTS_MAX`. */
const ACCOUNTS_MAX = 8
const EVENTS_MAX = 200
/**
 * A change goes on for an account while fewer deliveries than this are due there. So a slow receiver has a queue of this
 * length and one row that says where to go on, instead of tens of thousands of deliveries. Deliveries that wait for a
 * retry are not counted: for a receiver that fails at once the whole change is fanned out, and the retries come minutes
 * later.
 */
const WAITING_MAX = 500

export type FanOutOptions = {
  readonly database: Database
  /** Id of an account: only later ones get a share. The caller begins again with 0. */
  readonly after: bigint
  readonly accountsMax?: number
  readonly eventsMax?: number
}

export type FanOutStep = {
  readonly events: number
  /** The last account that got its share; undefined: no account after `after` has anything to do now. */
  readonly last: bigint | undefined
}

/**
 * Makes the next deliveries of catalogue changes: a share for each of the next accounts, and their progress, in one
 * commit. It may be cut off anywhere, and any number of nodes may run it.
 */
export function fanOutStep(options: FanOutOptions): Promise<FanOutStep> {
  const { database, after, accountsMax = ACCOUNTS_MAX, eventsMax = EVENTS_MAX } = options
  return database.transaction(async (tx) => {
    const fanouts = await lockFanouts(tx, { after, limit: accountsMax, waitingMax: WAITING_MAX })
    if (fanouts.length === 0) return { events: 0, last: undefined }
    const shares: Share[] = []
    for (const fanout of fanouts)
      shares.push(await shareOf(tx, fanout, Math.ceil(eventsMax / fanouts.length)))
    const events = shares.flatMap((share) => share.events)
    if (events.length > 0) await insertFannedOut(tx, events)
    await saveFanouts(
      tx,
      shares.filter((share) => !share.isLast),
    )
    await deleteFanouts(
      tx,
      shares.filter((share) => share.isLast).map((share) => share.fanout),
    )
    return { events: events.length, last: fanouts.at(-1)?.resellerId }
  })
}

type Share = Progress & { readonly events: readonly FannedEvent[]; readonly isLast: boolean }

async function shareOf(tx: Tx, fanout: Fanout, limit: number): Promise<Share> {
  const { done, sequence, place } = fanout
  if (!fanout.isWanted) return { fanout, events: [], done, place, isLast: true }
  const page = await listPositionsOfChange(tx, fanout, place, limit)
  return {
    fanout,
    events: page.events.map((event, index) => ({
      ...event,
      fanout,
      sequence: sequence + BigInt(done + index),
    })),
    done: done + page.events.length,
    place: page.place,
    isLast: page.isLast,
  }
}
