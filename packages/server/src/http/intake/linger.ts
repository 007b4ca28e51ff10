import type { Exchange } from '../exchange.ts'
import type { AnswerHeaders } from '../respond.ts'

/** Time after which a caller that keeps writing has surely read its answer. */
const LINGER_MS = 1_000

/**
 * Closes a connection later, when a request was refused before it arrived whole and the caller or we want the
 * connection closed. The caller is still writing and would lose the answer if it closed at once. It closes when the
 * rest has been read and thrown away, or when the time for a request is over. When that time is already over, it closes
 * a moment later (LINGER_MS).
 */
export function closeLater({ response, message }: Exchange, headers: AnswerHeaders | undefined): void {
  if (message.whole !== undefined) return
  const { socket } = message
  if (headers?.Connection === 'close' || response.getHeader('Connection') === 'close') {
    socket.destroySoon = () => {
      socket.end()
      setTimeout(() => socket.destroy(), LINGER_MS).unref()
    }
  } else if (!response.shouldKeepAlive) {
    response.shouldKeepAlive = true
    const close = () => socket.destroySoon()
    response.once('close', () => (message.complete ? close() : message.once('end', close)))
  }
}
