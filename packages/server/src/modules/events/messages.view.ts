import type { AccountEvent } from '../catalog/changes/events.types.ts'
import { postedCallback, queriedCallback } from './callback.view.ts'
import type { Message, Stream, ToldEvent } from './types.ts'

/** What the receiver of a stream gets for an event; it is one that the stream sends. */
export function messageOf(stream: Stream, method: 'GET' | 'POST', told: ToldEvent): Message {
  const { subject } = told
  if (stream === 'callback' && subject.kind === 'payment') {
    return method === 'GET' ? queriedCallback(subject.payment) : postedCallback(subject.payment)
  }
  if (stream === 'catalog' && subject.kind === 'catalog') return posted(envelopeOf(subject.event))
  if (stream === 'balance' && (subject.kind === 'balance' || subject.kind === 'own')) {
    return posted(balanceEnvelope(told))
  }
  throw new Error(`the stream ${stream} does not send ${told.type}`)
}

function posted(payload: Message['payload']): Message {
  return { payload, sent: payload, text: JSON.stringify(payload) }
}

export function envelopeOf({ type, resource, id, createdAt, data }: AccountEvent) {
  return { type, resource, id, timestamp: createdAt.toISOString(), data }
}

const VERSION = '1'

function balanceEnvelope({ ref, type, data }: ToldEvent) {
  return { type, version: VERSION, id: ref.eventId, created_at: ref.at.toISOString(), data }
}
