import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import type { Network } from '../../lib/addresses.ts'
import { isInNetworks, networkOf } from '../../lib/addresses.ts'
import type { RequestError } from '../../lib/errors.ts'
import { createStallWatch, readerTooSlow } from './stalls.ts'

export type ConnectionOptions = {
  /** Limit of open connections in total. */
  readonly max: number
  /** Limit of open connections of one network (`networkOf`). */
  readonly perNetworkMax: number
  /** Networks without a cap: those that no limit counts, and proxies, whose connections serve many clients. */
  readonly exempt: readonly Network[]
  /** Longest time a reader may take no byte of an answer. */
  readonly stallMs: number
  /** Called for refused connections, at most once a minute. */
  readonly onRefused: (refused: { readonly connections: number; readonly address: string }) => void
}

export type ConnectionFigures = {
  readonly open: number
  /**
   * Counts since the start: refused at the cap of their network, closed to make room, and reset because the reader
   * stood still.
   */
  readonly refused: number
  readonly evicted: number
  readonly stalled: number
}

/** Open connections of a server: how many each network holds, and which of them are idle. */
export type Connections = {
  attach(server: Server): void
  /**
   * Marks the start and the end of a request on a connection. It ends when its answer was taken or its caller hung up.
   */
  begin(socket: Socket): void
  end(socket: Socket): void
  /** Reason why we reset a connection; undefined when we did not. */
  cutReason(socket: Socket): RequestError | undefined
  figures(): ConnectionFigures
}

type Connection = { readonly socket: Socket; readonly group: Group; requests: number }

/** Connections of one network. */
type Group = {
  readonly key: string
  readonly isExempt: boolean
  count: number
  /** Connections without a request under way, in the order in which they became idle. */
  readonly idle: Set<Connection>
}

/** Fraction of the cap that stays free: 1/20. From there on each new connection takes the place of an idle one. */
const ROOM_SHARE = 20
const REPORT_MS = 60_000

/**
 * Shares connections between networks: no network holds more than its share, and idle connections keep no caller out. A
 * network at its cap gets a new connection in place of its own oldest idle one, and none when all are in use. When the
 * total cap is near, each new connection closes the oldest idle connection of the largest network; those of exempt
 * networks come last.
 */
export function createConnections(options: ConnectionOptions): Connections {
  const groups = new Map<string, Group>()
  const connections = new Map<Socket, Connection>()
  const cut = new WeakMap<Socket, RequestError>()
  const counts = { refused: 0, evicted: 0, stalled: 0 }
  const report = reporter(options.onRefused)
  const crowdedFrom = options.max - Math.ceil(options.max / ROOM_SHARE)

  function add(socket: Socket, address: string): void {
    const group = groupOf(address)
    if (!group.isExempt && group.count >= options.perNetworkMax && !evictFrom(group)) {
      counts.refused += 1
      report(address)
      socket.resetAndDestroy()
      return
    }
    if (connections.size >= crowdedFrom) evictFromLargest()
    // Node has closed it already (`maxConnections`); Bun accepts every connection.
    if (connections.size >= options.max) {
      socket.destroy()
      return
    }
    const connection: Connection = { socket, group, requests: 0 }
    group.count += 1
    group.idle.add(connection)
    groups.set(group.key, group)
    connections.set(socket, connection)
    socket.once('close', () => remove(connection))
  }

  function groupOf(address: string): Group {
    const isExempt = isInNetworks(address, options.exempt)
    // Exempt networks may be smaller than a /64.
    const key = isExempt ? address : networkOf(address)
    return groups.get(key) ?? { key, isExempt, count: 0, idle: new Set() }
  }

  /** Forgets a connection, once: an evicted one is forgotten before it has closed. */
  function remove(connection: Connection): void {
    if (!connections.delete(connection.socket)) return
    const { group } = connection
    group.idle.delete(connection)
    group.count -= 1
    if (group.count === 0) groups.delete(group.key)
  }

  function evictFrom(group: Group): boolean {
    for (const connection of group.idle) {
      counts.evicted += 1
      remove(connection)
      connection.socket.destroy()
      return true
    }
    return false
  }

  function evictFromLargest(): void {
    let largest: Group | undefined
    for (const group of groups.values()) {
      if (group.idle.size > 0 && weightOf(group) > weightOf(largest)) largest = group
    }
    if (largest !== undefined) evictFrom(largest)
  }

  const stalls = createStallWatch({
    sockets: () => connections.keys(),
    stallMs: options.stallMs,
    onStalled(socket) {
      counts.stalled += 1
      cut.set(socket, readerTooSlow(`nothing was taken for ${options.stallMs} ms`))
    },
  })

  return {
    attach(server) {
      server.maxConnections = options.max
      server.once('close', stalls.close)
      server.on('connection', (socket: Socket) => {
        // The address is read now: after the caller has hung up, the system no longer knows it.
        const address = socket.remoteAddress
        if (address === undefined) socket.destroy()
        else add(socket, address.replace(/%.*$/, ''))
      })
    },
    begin(socket) {
      const connection = connections.get(socket)
      if (connection === undefined) return
      if (connection.requests === 0) connection.group.idle.delete(connection)
      connection.requests += 1
    },
    end(socket) {
      const connection = connections.get(socket)
      if (connection === undefined) return
      connection.requests -= 1
      if (connection.requests === 0) connection.group.idle.add(connection)
    },
    cutReason: (socket) => cut.get(socket),
    figures: () => ({ open: connections.size, ...counts }),
  }
}

function weightOf(group: Group | undefined): number {
  if (group === undefined) return -1
  return group.isExempt ? 0 : group.count
}

function reporter(onRefused: ConnectionOptions['onRefused']): (address: string) => void {
  let connections = 0
  let reportedMs = Number.NEGATIVE_INFINITY
  return (address) => {
    connections += 1
    const nowMs = performance.now()
    if (nowMs - reportedMs < REPORT_MS) return
    onRefused({ connections, address })
    connections = 0
    reportedMs = nowMs
  }
}
