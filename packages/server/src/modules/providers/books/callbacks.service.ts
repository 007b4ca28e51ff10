import type { Outbound } from '../../../outbound/types.ts'
import { makeCallback } from './callbacks.rules.ts'
import { valuesOf } from './text.rules.ts'
import type { Book, BookOrder } from './types.ts'

const ANSWER_BYTES_MAX = 64 * 1_024
const CONNECTIONS_MAX = 8
const TIMEOUT_MS = 10_000

export type CallbackTarget = {
  readonly book: Book
  readonly url: string
  readonly secrets: Readonly<Record<string, string>>
  readonly outbound: Outbound
}

/** Sends the callbacks of the book that a service should take, about an order. Returns the status of each answer. */
export async function sendCallbacks(
  { book, url, secrets, outbound }: CallbackTarget,
  order: BookOrder,
): Promise<(number | null)[]> {
  const statuses: (number | null)[] = []
  for (const callback of book.callbacks.filter((each) => each.expect === 'news')) {
    const nowMs = Date.now()
    const { headers, query, body } = makeCallback(callback, valuesOf(order, nowMs), secrets, nowMs)
    const result = await outbound.send({
      method: 'POST',
      url: query === '' ? url : `${url}?${query}`,
      headers: { 'content-type': 'application/json', ...headers },
      body,
      answerBytesMax: ANSWER_BYTES_MAX,
      connectionsMax: CONNECTIONS_MAX,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    statuses.push(result.kind === 'answered' ? result.status : null)
  }
  return statuses
}
