import type { Database, Tx } from '../../../db/database.ts'
import { listPositionsOfChange } from '../../catalog/changes/positions.service.ts'
import type { FannedEvent, Fanout, Progress } from './fanout.sql.ts'
import { deleteFanouts, insertFannedOut, lockFanouts, saveFanouts } from './fanout.sql.ts'

/** Accounts in one commit, each with its share of the events. */
const ACCOUNTS_MAX = 8
const EVENTS_MAX = 200
/**
 * An account's change goes on while fewer than these are due: a receiver that takes its time is then a line of this
 * length and a row that says where to go on, not tens of thousands of deliveries. Those that wait for another attempt
 * are not counted, and have no bound but the change: a receiver that fails at once is gone through it in one go, and
 * its retries come minutes later.
 */
const WAITING_MAX = 500

export type FanOutOptions = {
  readonly database: Database
  /** Accounts after this one; the caller goes around. */
  readonly after: bigint
  readonly accountsMax?: number
  readonly eventsMax?: number
}

export type FanOutStep = {
  readonly events: number
  /** The last account that had its share; undefined: there is nobody after `after` with anything to be done now. */
  readonly last: bigint | undefined
}

/**
 * Makes the next deliveries of catalogue changes: a share for each of the next accounts, with the marks how far they
 * came, in one commit. It may be cut off anywhere and run by any number of nodes.
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
