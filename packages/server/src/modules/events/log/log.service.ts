import type { Database } from '../../../db/database.ts'
import { isOutOfReach } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { withFreshKeys } from '../../../db/vault.ts'
import { RequestError } from '../../../lib/errors.ts'
import { parseUuid } from '../../../lib/input/ids.ts'
import { openResponse } from '../endpoints/secrets.service.ts'
import { messageOf } from '../messages/messages.view.ts'
import type { EventReader, EventRef, LoadedEvent, Message, Stream } from '../types.ts'
import { cursorOf } from './log.rules.ts'
import type { LogKey } from './log.sql.ts'
import { findAttempts, findDelivery, listDeliveries } from './log.sql.ts'
import type { Attempt, Delivery, LogFilter } from './log.types.ts'

/** A delivery with its message and the receiver's answer. */
export type LoggedDelivery = {
  readonly delivery: Delivery
  /** Undefined: the record of the event is no longer kept, or cannot be read. */
  readonly message: Message | undefined
  readonly responseBody: string
}

export type LogPage = {
  readonly deliveries: readonly LoggedDelivery[]
  /** Cursor of the next page; null: this page is the last. */
  readonly cursor: string | null
}

export type DeliveryLog = {
  list(resellerId: bigint, stream: Stream, filter: LogFilter): Promise<LogPage>
  get(resellerId: bigint, stream: Stream, id: string): Promise<LoggedDelivery>
  getAttempts(resellerId: bigint, stream: Stream, id: string): Promise<readonly Attempt[]>
}

export type DeliveryLogSettings = {
  readonly database: Database
  readonly vault: Vault
  readonly reader: EventReader
  /** Called when a part of a delivery cannot be read; the rest is still shown. */
  readonly onProblem: (error: unknown) => void
}

export function createDeliveryLog(settings: DeliveryLogSettings): DeliveryLog {
  const { database } = settings
  return {
    async list(resellerId, stream, filter) {
      const more = { ...filter, limit: filter.limit + 1 }
      const found = await listDeliveries(database, { resellerId, stream }, more)
      const shown = found.slice(0, filter.limit)
      const last = shown.at(-1)
      const hasMore = found.length > shown.length && last !== undefined
      return { deliveries: await withMessages(settings, shown), cursor: hasMore ? cursorOf(last.id) : null }
    },
    async get(resellerId, stream, id) {
      const delivery = await byId(id, (known) => findDelivery(database, { resellerId, stream }, known))
      const [logged] = await withMessages(settings, [delivery])
      if (logged === undefined) throw new Error('a delivery was read and not shown')
      return logged
    },
    getAttempts(resellerId, stream, id) {
      const key: LogKey = { resellerId, stream }
      return byId(id, (known) => findAttempts(database, key, known))
    },
  }
}

async function withMessages(
  settings: DeliveryLogSettings,
  deliveries: readonly Delivery[],
): Promise<LoggedDelivery[]> {
  const refs = deliveries.map(({ ref }) => ref)
  const events = await load(settings, refs)
  const bodies = await openBodies(settings, deliveries)
  return deliveries.map((delivery, index) => {
    const event = events[index]
    const message = event && orNothing(settings, () => messageOf(delivery.stream, delivery.method, event))
    return { delivery, message, responseBody: bodies[index] ?? '' }
  })
}

/** Reads the events one by one when they cannot be read together: one bad event must not hide the others. */
async function load(
  settings: DeliveryLogSettings,
  refs: readonly EventRef[],
): Promise<readonly (LoadedEvent | undefined)[]> {
  try {
    return await settings.reader.read(refs)
  } catch (error) {
    if (isOutOfReach(error)) throw error
    if (refs.length === 1) settings.onProblem(error)
    if (refs.length === 1) return [undefined]
    const each: (LoadedEvent | undefined)[] = []
    for (const ref of refs) each.push(...(await load(settings, [ref])))
    return each
  }
}

async function openBodies(
  settings: DeliveryLogSettings,
  deliveries: readonly Delivery[],
): Promise<readonly (string | undefined)[]> {
  const { vault } = settings
  const openBody = ({ ref, id, sealedResponse }: Delivery) =>
    openResponse(vault, ref.resellerId, id, sealedResponse)
  try {
    return await withFreshKeys(vault, () => deliveries.map(openBody))
  } catch (error) {
    if (isOutOfReach(error)) throw error
    return deliveries.map((delivery) => orNothing(settings, () => openBody(delivery)))
  }
}

function orNothing<T>({ onProblem }: DeliveryLogSettings, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    onProblem(error)
    return undefined
  }
}

/** Answers the same for unknown, foreign and malformed ids, so that nobody learns which ids exist. */
async function byId<T>(id: string, find: (known: string) => Promise<T | undefined>): Promise<T> {
  const known = parseUuid(id)
  const found = known === undefined ? undefined : await find(known)
  if (found === undefined) throw deliveryNotFound()
  return found
}

export function deliveryNotFound(): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such delivery.' })
}
