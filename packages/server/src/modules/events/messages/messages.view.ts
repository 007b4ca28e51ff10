import type { AccountEvent } from '../../catalog/changes/events.types.ts'
import type { LoadedEvent, Message, Stream } from '../types.ts'
import { postedCallback, queriedCallback } from './callback.view.ts'

/** Makes the message that a stream sends for an event. Throws when the stream does not send such events. */
export function messageOf(stream: Stream, method: 'GET' | 'POST', event: LoadedEvent): Message {
  const { subject } = event
  switch (stream) {
    case 'callback':
      if (subject.kind !== 'payment') break
      return method === 'GET' ? queriedCallback(subject.payment) : postedCallback(subject.payment)
    case 'catalog':
      if (subject.kind !== 'catalog') break
      return posted(envelopeOf(subject.event))
    case 'balance':
      if (subject.kind !== 'balance' && subject.kind !== 'own') break
      return posted(balanceEnvelope(event))
    case 'order':
      if (subject.kind !== 'order') break
      return posted(orderEnvelope(event))
    default:
      return stream satisfies never
  }
  throw new Error(`the stream ${stream} does not send ${event.type}`)
}

function posted(payload: Message['payload']): Message {
  return { payload, sent: payload, text: JSON.stringify(payload) }
}

export function envelopeOf({ type, resource, id, createdAt, data }: AccountEvent) {
  return { type, resource, id, timestamp: createdAt.toISOString(), data }
}

const VERSION = '1'

/** The order's members stand beside those of the envelope. */
function orderEnvelope({ ref, type, data }: LoadedEvent) {
  return { type, version: VERSION, id: ref.eventId, created_at: ref.at.toISOString(), ...data }
}

function balanceEnvelope({ ref, type, data }: LoadedEvent) {
  return { type, version: VERSION, id: ref.eventId, created_at: ref.at.toISOString(), data }
}
