import type { WebhookEvent } from './webhooks.ts'

// Order and duplicates of verified events.

/** Store of small texts by key. */
export type InboxStore = {
  get(key: string): string | null | undefined | Promise<string | null | undefined>
  set(key: string, value: string): unknown
}

/** Verdict. `stale`: an older state of the payment or of the catalogue; a newer one was accepted before. */
export type Verdict = 'new' | 'duplicate' | 'stale'

export type Inbox = {
  /**
   * Judges an event, calls `handle` with it if it is new, and remembers it then: an event whose handling failed is new again
   * when it comes again. Events are judged one after another. Answer 2xx to every verdict.
   */
  accept<E extends Arrival>(event: E, handle?: (event: E) => unknown): Promise<Verdict>
}

export type Arrival = Pick<WebhookEvent, 'id' | 'stream' | 'payload'>

/** Keys that the inbox in memory keeps; the oldest goes first. */
const KEYS_MAX = 100_000

export function createInbox({
  store = memoryStore(),
}: {
  readonly store?: InboxStore | undefined
} = {}): Inbox {
  let turn: Promise<unknown> = Promise.resolve()
  return {
    accept(event, handle = () => {}) {
      const verdict = turn.then(() => judge(store, event, handle))
      turn = verdict.catch(() => {})
      return verdict
    },
  }
}

async function judge<E extends Arrival>(
  store: InboxStore,
  event: E,
  handle: (event: E) => unknown,
): Promise<Verdict> {
  const seen = `id:${event.id}`
  if ((await store.get(seen)) != null) return 'duplicate'
  const place = placeOf(event)
  const isStale = place !== undefined && ((await store.get(place.key)) ?? '') > place.rank
  if (!isStale) {
    await handle(event)
    if (place !== undefined) await store.set(place.key, place.rank)
  }
  await store.set(seen, '1')
  return isStale ? 'stale' : 'new'
}

/** Returns the thing that an event shows a state of, and a text that grows from state to state. */
function placeOf(event: Arrival): { key: string; rank: string } | undefined {
  const payload = event.payload as unknown as Readonly<Record<string, unknown>>
  switch (event.stream) {
    case 'callback':
      return { key: `payment:${payload.refid}`, rank: paymentRank(payload) }
    case 'catalog':
      return { key: `${payload.resource}:${payload.id}`, rank: String(payload.timestamp) }
    case 'balance':
    case 'order':
      return undefined
  }
}

/** Processing comes before the end, and a void after success. */
function paymentRank({ status, statusCode }: Readonly<Record<string, unknown>>): string {
  if (statusCode === 53) return '3'
  return status === 'Succesful' || status === 'Failed' ? '2' : '1'
}

function memoryStore(): InboxStore {
  const values = new Map<string, string>()
  return {
    get: (key) => values.get(key),
    set(key, value) {
      values.delete(key)
      values.set(key, value)
      const [oldest] = values.keys()
      if (values.size > KEYS_MAX && oldest !== undefined) values.delete(oldest)
    },
  }
}
