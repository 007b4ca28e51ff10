import type { Event } from '@warung/sdk'

// Deliveries as the service makes them of events.

export const STREAMS = ['callback', 'balance', 'catalog', 'order'] as const
export type Stream = (typeof STREAMS)[number]

export type Delivery = {
  readonly stream: Stream
  readonly id: string
  readonly method: 'GET' | 'POST'
  /** Body of a POST, query of a GET. */
  readonly payload: string
}

export type ListenSettings = {
  readonly method: 'GET' | 'POST'
  readonly streams: readonly Stream[]
  readonly balanceTypes: readonly string[]
}

/** States of a payment that callbacks tell; Accepted is never told. */
const CALLBACK_TYPES = new Set([
  'payment.processing',
  'payment.succeeded',
  'payment.failed',
  'payment.voided',
])
const ENVELOPE_VERSION = '1'
const QUERIED_REMARKS_MAX = 500

/** Returns the delivery of an event; undefined if no chosen stream sends it. */
export function deliveryOf(event: Event, settings: ListenSettings): Delivery | undefined {
  const stream = streamOf(event, settings)
  return stream === undefined || !settings.streams.includes(stream)
    ? undefined
    : deliveryIn(stream, event, settings)
}

function deliveryIn(stream: Stream, event: Event, settings: ListenSettings): Delivery {
  const { id } = event
  switch (stream) {
    case 'callback':
      return { stream, id, ...callbackOf(event.data as Readonly<Record<string, unknown>>, settings.method) }
    case 'balance': {
      const { type, created_at: at, data } = event
      const payload = JSON.stringify({ type, version: ENVELOPE_VERSION, id, created_at: at, data })
      return { stream, id, method: 'POST', payload }
    }
    case 'order': {
      const { type, created_at: at, data } = event
      const payload = JSON.stringify({ type, version: ENVELOPE_VERSION, id, created_at: at, ...data })
      return { stream, id, method: 'POST', payload }
    }
    case 'catalog':
      return { stream, id, method: 'POST', payload: JSON.stringify(event.data) }
  }
}

function streamOf({ type }: Event, { balanceTypes }: ListenSettings): Stream | undefined {
  if (CALLBACK_TYPES.has(type)) return 'callback'
  if (type.startsWith('balance.')) return balanceTypes.includes(type) ? 'balance' : undefined
  if (type.startsWith('order.')) return 'order'
  return /^(product|option|category|group)\./.test(type) ? 'catalog' : undefined
}

function callbackOf(
  payment: Readonly<Record<string, unknown>>,
  method: 'GET' | 'POST',
): Pick<Delivery, 'method' | 'payload'> {
  const { transaction_id: _, ...fields } = payment
  if (method === 'POST') return { method, payload: JSON.stringify({ data: fields }) }
  const remarks = [...String(fields.remarks)].slice(0, QUERIED_REMARKS_MAX).join('')
  // The feed shows whole seconds; this form has milliseconds.
  const message = JSON.stringify({ ...fields, remarks, timestamp: `${String(fields.timestamp)}.000` })
  const sent = { refid: fields.refid, status: fields.statusCode, price: fields.cost, message }
  const payload = Object.entries(sent).map(([name, value]) => `${name}=${escaped(String(value))}`)
  return { method, payload: payload.join('&') }
}

function escaped(text: string): string {
  // Half a surrogate pair has no encoding.
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd')).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
