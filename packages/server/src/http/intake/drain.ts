import type { Server, ServerResponse } from 'node:http'

/** Which answers are still owed, so that a server that closes waits for those and for nothing else. */
export type Drain = {
  begin(response: ServerResponse): void
  end(response: ServerResponse): void
  /** Called once, when the server begins to close. */
  letGo(server: Server): void
}

const LOOK_MS = 50
const GRACE_MS = 1_000

/**
 * Node, when a server closes, closes the connections that are idle at that moment, and from then on looks at
 * no time limit: a connection that falls idle later would hold the server open for its keep-alive time, and
 * one that sent half a request for ever.
 */
export function createDrain(requestTimeoutMs: number): Drain {
  const owed = new Set<ServerResponse>()
  let isLettingGo = false
  return {
    begin(response) {
      owed.add(response)
      // What still arrives on an open connection is served, and is the last on it.
      if (isLettingGo) response.setHeader('Connection', 'close')
    },
    end: (response) => void owed.delete(response),
    letGo(server) {
      isLettingGo = true
      // Callers that reuse connections learn to open another, elsewhere.
      for (const response of owed) if (!response.headersSent) response.setHeader('Connection', 'close')
      const giveUpAtMs = performance.now() + requestTimeoutMs + GRACE_MS
      const look = setInterval(() => {
        if (owed.size > 0 && performance.now() <= giveUpAtMs) return
        // Closed, an answer that is half sent could be taken for whole.
        for (const response of owed) {
          if (response.headersSent && !response.writableFinished) response.req.socket.resetAndDestroy()
        }
        server.closeAllConnections()
      }, LOOK_MS)
      server.once('close', () => clearInterval(look))
      look.unref()
    },
  }
}
