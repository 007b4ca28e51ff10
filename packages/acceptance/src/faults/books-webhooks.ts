import type { Received, Records, Violation } from './records.ts'
import { ATTEMPTS_MAX, BALANCE_TYPES, groupBy } from './records.ts'

// Checks of the balance webhooks that receivers got.

type Webhook = {
  readonly type: string
  readonly id: string
  readonly amount: number
  readonly balance: number
}

function readWebhook({ body }: Received): Webhook | undefined {
  try {
    const { type, id, data } = JSON.parse(body) as Record<'type' | 'id', unknown> & {
      data: Record<string, unknown>
    }
    const units = (ringgit: unknown) => Math.round(Number(ringgit) * 10_000)
    return { type: String(type), id: String(id), amount: units(data.amount), balance: units(data.balance) }
  } catch {
    return undefined
  }
}

const keyOf = ({ account, eventId }: { account: string; eventId: string }) => `${account} ${eventId}`

/** Check: the receiver took the webhook of each event of the balance that it asked for, unless every attempt failed. */
export function missingWebhooks({ feed, webhooks, deliveries }: Records): Violation[] {
  const taken = new Set(webhooks.filter(({ isTaken }) => isTaken).map(keyOf))
  const givenUp = new Set(
    deliveries
      .filter(({ stream, status, attempts }) => {
        return stream === 'balance' && status === 'failed' && attempts >= ATTEMPTS_MAX
      })
      .map(keyOf),
  )
  return feed
    .filter(({ account, id, type }) => {
      const key = keyOf({ account, eventId: id })
      return BALANCE_TYPES.includes(type) && !taken.has(key) && !givenUp.has(key)
    })
    .map(({ account, id, type, sequence }) => ({
      check: 'webhook-missing',
      text: `no webhook of ${type} ${id} (number ${sequence} of the feed) arrived`,
      account,
    }))
}

/** Check: a webhook says what the feed says of the same event. */
export function untrueWebhooks({ feed, webhooks }: Records): Violation[] {
  const lines = new Map(feed.map((line) => [keyOf({ account: line.account, eventId: line.id }), line]))
  return webhooks.flatMap((request): Violation[] => {
    const { account, eventId } = request
    const say = (text: string): Violation[] => [{ check: 'webhook-untrue', text, account }]
    const webhook = readWebhook(request)
    if (webhook === undefined) return say(`${eventId} cannot be read`)
    const line = lines.get(keyOf(request))
    if (line === undefined) return say(`${eventId} is not in the feed`)
    const agrees =
      webhook.id === eventId &&
      webhook.type === line.type &&
      webhook.amount === line.amount &&
      webhook.balance === line.balance
    return agrees ? [] : say(`${eventId} says ${request.body}, the feed ${JSON.stringify(line)}`)
  })
}

/** Check: all requests of one event have the same content and a right signature. */
export function differingWebhooks({ webhooks }: Records): Violation[] {
  return [...groupBy(webhooks, keyOf).values()].flatMap((own): Violation[] => {
    const { account, eventId } = own[0] as Received
    if (own.some(({ isVerified }) => !isVerified)) {
      return [{ check: 'webhook-unsigned', text: `${eventId} came with a wrong signature`, account }]
    }
    const bodies = new Set(own.map(({ body }) => body))
    if (bodies.size === 1) return []
    return [{ check: 'webhook-differs', text: `${eventId} came as ${[...bodies].join(' and ')}`, account }]
  })
}
