import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { BLANK_BYTES_MAX, countBlank } from '../intake/between-requests.ts'
import { WholeAnswer } from './whole-answer.ts'
import type { WholeMessage } from './whole-request.ts'
import { readWhole } from './whole-request.ts'

export type WireOptions = {
  readonly take: (message: WholeMessage, answer: WholeAnswer) => void
  /** Returns the earliest time at which bytes that were read just now can have arrived. */
  readonly earliestMs: () => number
  /** Called before bytes that had to wait are handed over to Node, with the time at which they came. */
  readonly onHandOver: (socket: Socket, earliestMs: number) => void
  /** Called when Node begins to serve a connection. */
  readonly onServedByNode: (socket: Socket) => void
  /** Refuses a connection that sent more empty lines than may stand between two requests. */
  readonly refuse: (socket: Socket) => void
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

/**
 * Limit of bytes that wait behind a request. Beyond it the connection closes after the request's answer, and the bytes
 * are not looked at; the caller can see that.
 */
const HELD_BYTES_MAX = 32 * 1024
/** Limit of the packets in which they come: each keeps more memory than its bytes. */
const HELD_PIECES_MAX = 1_024

/** Bun's server has a fast parser of its own, and its sockets do not work like Node's here. */
const IS_NODE = process.versions.bun === undefined

/**
 * Reads requests that arrive in one piece from their sockets. A request through Node's parser, with its two streams,
 * costs twice what this way does. Everything that is not such a request is handed over to Node together with its
 * connection, which stays with Node from then on: halves of requests, several at once, bytes that came behind a request
 * under way, and all that `readWhole` does not read. Nothing was answered or executed of what is handed over.
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
      const handOver: ConnectionOptions['handOver'] = (socket, rest) => {
        // The bytes are read again, by Node's parser, before any that arrive later.
        socket.unshift(rest)
        serveByNode.call(server, socket)
        options.onServedByNode(socket)
        socket.resume()
      }
      const ofEach = { ...options, keepAliveLines, connections, handOver }
      server.on('connection', (socket: Socket) => openConnection(socket, ofEach))
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
  readonly handOver: (socket: Socket, rest: Buffer) => void
}

function openConnection(socket: Socket, options: ConnectionOptions): void {
  const connection: Connection = { socket, answer: undefined, hasSpoken: false, quietChecks: 0 }
  let held: Held | undefined
  let isFull = false
  let blankBytes = 0

  function take(chunk: Buffer): void {
    if (isFull) return
    const { answer: underWay } = connection
    if (held === undefined) {
      // Some callers send an empty line behind a request. Node's parser skips it too.
      const blank = countBlank(chunk)
      blankBytes += blank
      if (blankBytes > BLANK_BYTES_MAX) {
        closeAfter(underWay)
        if (underWay === undefined) options.refuse(socket)
        return
      }
      if (blank === chunk.length) return
      blankBytes = 0
    }
    connection.hasSpoken = true
    if (underWay !== undefined) {
      hold(underWay, chunk)
      return
    }
    const message = readWhole(chunk, socket)
    if (message === undefined) {
      leave()
      options.handOver(socket, chunk)
      return
    }
    const answer = new WholeAnswer(message, answerOptions)
    connection.answer = answer
    options.take(message, answer)
  }

  /** Keeps bytes that arrive behind a request. They are read at once, so that the time at which they came is known. */
  function hold(answer: WholeAnswer, chunk: Buffer): void {
    held ??= { pieces: [], bytes: 0, earliestMs: options.earliestMs() }
    held.pieces.push(chunk)
    held.bytes += chunk.length
    if (held.bytes > HELD_BYTES_MAX || held.pieces.length > HELD_PIECES_MAX) closeAfter(answer)
  }

  /** Reads nothing more. The connection closes after the answer that is under way, if there is one. */
  function closeAfter(answer: WholeAnswer | undefined): void {
    isFull = true
    held = undefined
    socket.pause()
    if (answer?.headersSent === false) answer.setHeader('Connection', 'close')
  }

  const answerOptions = {
    keepAliveLines: options.keepAliveLines,
    isFollowed: () => held !== undefined,
    onOver: goOn,
  }

  function goOn({ shouldKeepAlive }: WholeAnswer): void {
    connection.answer = undefined
    connection.quietChecks = 0
    if (!shouldKeepAlive || isFull) {
      socket.destroySoon()
      return
    }
    // A caller that has closed its half gets no answer any more.
    if (held === undefined || !socket.writable) return
    leave()
    options.onHandOver(socket, held.earliestMs)
    options.handOver(socket, Buffer.concat(held.pieces, held.bytes))
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

type Held = { readonly pieces: Buffer[]; bytes: number; readonly earliestMs: number }

/** An error of a socket is followed by its close, which is handled. */
function ignore(): void {}
