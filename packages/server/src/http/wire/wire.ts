import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { WholeAnswer } from './whole-answer.ts'
import type { WholeMessage } from './whole-request.ts'
import { readWhole } from './whole-request.ts'

export type WireOptions = {
  readonly take: (message: WholeMessage, answer: WholeAnswer) => void
  /** Called when bytes arrive while a request of their connection is under way. They wait for its end. */
  readonly onHeld: (socket: Socket) => void
  /** Time for which a connection stays open after an answer. */
  readonly keepAliveMs: number
  /** Time within which a new connection must send something. */
  readonly firstBytesMs: number
  readonly checkMs: number
}

/** Connections whose requests are read without Node's parser. */
export type Wire = {
  attach(server: Server): void
  closeAll(): void
}

type Listener = (socket: Socket) => void

/** Bun's server has a fast parser of its own, and its sockets do not work like Node's here. */
const IS_NODE = process.versions.bun === undefined

/**
 * Reads requests that arrive in one piece from their sockets. A request through Node's parser, with its two streams,
 * costs twice what this way does. Everything that is not such a request is handed over to Node together with its
 * connection, which stays with Node from then on: halves of requests, several at once, and all that `readWhole` does not
 * read. Nothing was answered or executed of what is handed over.
 */
export function createWire(options: WireOptions): Wire {
  const connections = new Set<Connection>()
  const keepAliveLines = `Connection: keep-alive\r\nKeep-Alive: timeout=${Math.floor(options.keepAliveMs / 1_000)}\r\n`
  const keepAliveChecks = Math.ceil(options.keepAliveMs / options.checkMs)
  const firstBytesChecks = Math.ceil(options.firstBytesMs / options.checkMs)

  function closeQuiet(): void {
    for (const connection of connections) {
      if (connection.answer !== undefined) continue
      connection.quietChecks += 1
      const limit = connection.hasSpoken ? keepAliveChecks : firstBytesChecks
      if (connection.quietChecks > limit) connection.socket.destroySoon()
    }
  }

  return {
    attach(server) {
      const listeners = server.listeners('connection')
      if (!IS_NODE || listeners.length !== 1) return
      const [serveByNode] = listeners as [Listener]
      server.removeListener('connection', serveByNode)
      server.on('connection', (socket: Socket) => {
        const handOver = (rest: Buffer) => {
          // The bytes are read again, by Node's parser, before any that arrive later.
          socket.unshift(rest)
          serveByNode.call(server, socket)
          socket.resume()
        }
        openConnection(socket, { ...options, keepAliveLines, connections, handOver })
      })
      const timer = setInterval(closeQuiet, options.checkMs)
      timer.unref()
      server.once('close', () => clearInterval(timer))
    },
    closeAll() {
      for (const { socket } of connections) socket.destroy()
    },
  }
}

type Connection = {
  readonly socket: Socket
  /** Answer that is under way. */
  answer: WholeAnswer | undefined
  hasSpoken: boolean
  /** Checks since the last answer, or since the connection was opened. */
  quietChecks: number
}

type ConnectionOptions = WireOptions & {
  readonly keepAliveLines: string
  readonly connections: Set<Connection>
  readonly handOver: (rest: Buffer) => void
}

function openConnection(socket: Socket, options: ConnectionOptions): void {
  const connection: Connection = { socket, answer: undefined, hasSpoken: false, quietChecks: 0 }
  let held: Buffer | undefined

  function take(chunk: Buffer): void {
    connection.hasSpoken = true
    if (connection.answer !== undefined) {
      // One piece waits in memory; the others wait in the system, or with the caller.
      socket.pause()
      held = held === undefined ? chunk : Buffer.concat([held, chunk])
      options.onHeld(socket)
      return
    }
    const message = readWhole(chunk, socket)
    if (message === undefined) {
      leave()
      options.handOver(chunk)
      return
    }
    const answer = new WholeAnswer(message, answerOptions)
    connection.answer = answer
    options.take(message, answer)
  }

  const answerOptions = {
    keepAliveLines: options.keepAliveLines,
    isFollowed: () => held !== undefined,
    onOver: goOn,
  }

  function goOn({ shouldKeepAlive }: WholeAnswer): void {
    connection.answer = undefined
    connection.quietChecks = 0
    if (!shouldKeepAlive) {
      socket.destroySoon()
      return
    }
    if (held === undefined || socket.destroyed) return
    const chunk = held
    held = undefined
    socket.resume()
    take(chunk)
  }

  function drained(): void {
    connection.answer?.emit('drain')
  }

  /** Answers nothing more: the caller has closed its half, and Node's server also closes then. */
  function ended(): void {
    socket.end()
  }

  function closed(): void {
    options.connections.delete(connection)
    connection.answer?.hangUp()
  }

  function leave(): void {
    options.connections.delete(connection)
    socket.pause()
    socket.off('data', take).off('drain', drained).off('end', ended).off('close', closed).off('error', ignore)
  }

  options.connections.add(connection)
  socket.on('data', take).on('drain', drained).on('end', ended).on('close', closed).on('error', ignore)
}

/** An error of a socket is followed by its close, which is handled. */
function ignore(): void {}
