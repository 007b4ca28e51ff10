import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { Server as NetServer } from 'node:net'
import type { Ticket } from '../../lib/register.ts'
import { createRegister } from '../../lib/register.ts'
import type { Answer } from '../exchange.ts'

/** Tracks the answers that are still owed, so that a closing server waits for those and for nothing else. */
export type Drain = {
  begin(response: Answer): Ticket
  end(ticket: Ticket): void
  /** Asks callers to leave: the last answer on each connection closes it. Requests are served as before. */
  announce(): void
  /** Accepts no new connections. Requests on open ones are served as before. */
  stopListening(server: Server): void
  /** Stops listening, waits for the answers and closes all connections. A later call returns the same promises. */
  letGo(server: Server): LettingGo
  /** True when every accepted request has its answer: a request that still arrives on an open connection is refused. */
  readonly isOver: boolean
}

export type LettingGo = {
  /** Resolves when every accepted request has its answer, whether or not its reader has taken it. */
  readonly answered: Promise<void>
  /** Resolves when every answer was taken, or its time is over. */
  readonly sent: Promise<void>
}

export type DrainOptions = {
  readonly requestTimeoutMs: number
  /** Time that slow readers have to take answers whose sending began. */
  readonly answersMs: number
  /** Closes the connections that Node's server does not know. */
  readonly closeConnections?: () => void
}

const POLL_MS = 50
const GRACE_MS = 1_000
const IS_BUN = process.versions.bun !== undefined

/**
 * Node closes the connections that are idle when a server begins to close. A connection that becomes idle later would
 * keep the server open for its keep-alive time, and one that sent half a request would keep it open for long.
 */
export function createDrain({
  requestTimeoutMs,
  answersMs,
  closeConnections = () => {},
}: DrainOptions): Drain {
  const owed = createRegister<Answer>()
  /** Numbers of the requests in the order of their arrival, by the tickets of their answers. */
  const arrivals: number[] = []
  let arrived = 0
  /** Last request of each connection, from the announcement on. */
  const latest = new WeakMap<Socket, Answer>()
  const answerMsMax = requestTimeoutMs + GRACE_MS
  let isAnnounced = false
  let isOver = false
  let closed: Promise<void> | undefined
  let lettingGo: LettingGo | undefined

  /** Closes the connection after this answer, and not after one before it: those behind it would be lost. */
  function closeAfter(response: Answer): void {
    const { socket } = response.req
    const before = latest.get(socket)
    if (before !== undefined && !before.headersSent) before.removeHeader('Connection')
    latest.set(socket, response)
    if (!response.headersSent) response.setHeader('Connection', 'close')
  }

  function announce(): void {
    if (isAnnounced) return
    isAnnounced = true
    // A register has no order, and the last request of a connection is the one that closes it.
    const answers: { response: Answer; arrival: number }[] = []
    owed.each((response, ticket) => answers.push({ response, arrival: arrivals[ticket] as number }))
    answers.sort((a, b) => a.arrival - b.arrival)
    for (const { response } of answers) closeAfter(response)
  }

  function stopListening(server: Server): Promise<void> {
    closed ??= new Promise((resolve) => {
      // The close of node:http also closes idle connections, on which a request may just arrive.
      if (IS_BUN) server.close(() => resolve())
      else NetServer.prototype.close.call(server, () => resolve())
    })
    return closed
  }

  function isWaitedFor(passedMs: number): boolean {
    if (passedMs <= answerMsMax) return owed.size > 0
    return passedMs <= answersMs && owed.some((response) => response.headersSent)
  }

  function cutOff(server: Server): void {
    // A reset is needed: a client could take a half-sent answer for whole if the connection just closed.
    owed.each((response) => {
      if (response.headersSent && !response.writableFinished) response.req.socket.resetAndDestroy()
    })
    server.closeAllConnections()
    closeConnections()
  }

  function begin(server: Server): LettingGo {
    announce()
    const sent = stopListening(server)
    const beganMs = performance.now()
    const answered = new Promise<void>((resolve) => {
      const step = () => {
        const passedMs = performance.now() - beganMs
        isOver ||= passedMs > answerMsMax || !owed.some((response) => !response.headersSent)
        if (isOver) resolve()
        // Idle connections stay open meanwhile: a request on one of them is answered, with 503 in the end. Node's own
        // way to close them also closes those whose answer was written and not taken yet.
        if (!isWaitedFor(passedMs)) cutOff(server)
      }
      const timer = setInterval(step, POLL_MS)
      timer.unref()
      // The requests that have arrived are read before this.
      setImmediate(step)
      void sent.then(() => {
        isOver = true
        clearInterval(timer)
        resolve()
      })
    })
    return { answered, sent }
  }

  return {
    begin(response) {
      // A request that arrives now is served, and is the last on its connection.
      if (isAnnounced) closeAfter(response)
      const ticket = owed.add(response)
      arrived += 1
      arrivals[ticket] = arrived
      return ticket
    },
    end: owed.remove,
    announce,
    stopListening: (server) => void stopListening(server),
    letGo(server) {
      lettingGo ??= begin(server)
      return lettingGo
    },
    get isOver() {
      return isOver
    },
  }
}
