import type { Server, ServerResponse } from 'node:http'

/** Tracks the answers that are still owed, so that a closing server waits for those and for nothing else. */
export type Drain = {
  begin(response: ServerResponse): void
  end(response: ServerResponse): void
  /** Called once, when the server begins to close. */
  letGo(server: Server): void
}

const POLL_MS = 50
const GRACE_MS = 1_000

/**
 * Node closes the connections that are idle when a server begins to close, and checks no time limit from then on. A
 * connection that becomes idle later would keep the server open for its keep-alive time, and one that sent half a
 * request would keep it open for ever.
 */
export function createDrain(requestTimeoutMs: number): Drain {
  const owed = new Set<ServerResponse>()
  let isLettingGo = false
  return {
    begin(response) {
      owed.add(response)
      // A request that still arrives on an open connection is served, and is the last on it.
      if (isLettingGo) response.setHeader('Connection', 'close')
    },
    end: (response) => void owed.delete(response),
    letGo(server) {
      isLettingGo = true
      // The header tells callers that reuse connections to open another one, elsewhere.
      for (const response of owed) if (!response.headersSent) response.setHeader('Connection', 'close')
      const giveUpAtMs = performance.now() + requestTimeoutMs + GRACE_MS
      const timer = setInterval(() => {
        if (owed.size > 0 && performance.now() <= giveUpAtMs) return
        // A reset is needed: a client could take a half-sent answer for whole if the connection just closed.
        for (const response of owed) {
          if (response.headersSent && !response.writableFinished) response.req.socket.resetAndDestroy()
        }
        server.closeAllConnections()
      }, POLL_MS)
      server.once('close', () => clearInterval(timer))
      timer.unref()
    },
  }
}
