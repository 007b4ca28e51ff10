import { once } from 'node:events'
import type { AddressInfo, NetConnectOpts, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

export type Direction = 'to server' | 'to client'

const DIRECTIONS: readonly Direction[] = ['to server', 'to client']

/** Connection through the proxy. Held bytes are not lost: they are delivered when the connection resumes. */
export type ProxyConnection = {
  /** Stops the bytes without an error: both ends stay open. */
  hold(...directions: Direction[]): void
  /** Lets `bytes` more bytes pass; then the connection goes silent or breaks. */
  limit(direction: Direction, bytes: number, then: 'hold' | 'cut'): void
  /** Delivers the held bytes. */
  resume(): void
  /** Breaks the connection at both ends. */
  cut(): void
}

export type TcpProxy = {
  readonly port: number
  /** Lists the open connections, oldest first. */
  connections(): ProxyConnection[]
  /** Holds every open connection; with `alsoNew`, also those that are opened later. */
  holdAll(options?: { alsoNew?: boolean }): void
  resumeAll(): void
  close(): Promise<void>
}

/** Opens a proxy between a client and its server, which can go silent without a reset, as a network can. */
export async function openTcpProxy(target: NetConnectOpts): Promise<TcpProxy> {
  const open = new Set<ProxyConnection>()
  let holdsNew = false
  const server = createServer((client) => {
    const link = join(client, connect(target), () => open.delete(link))
    open.add(link)
    if (holdsNew) link.hold(...DIRECTIONS)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    connections: () => [...open],
    holdAll({ alsoNew = false } = {}) {
      holdsNew = alsoNew
      for (const link of open) link.hold(...DIRECTIONS)
    },
    resumeAll() {
      holdsNew = false
      for (const link of open) link.resume()
    },
    async close() {
      for (const link of open) link.cut()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Returns PostgreSQL's address in tests: a directory of sockets, or a host. */
export function targetOf({ host, port }: { host: string; port: number }): NetConnectOpts {
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
}

function join(client: Socket, server: Socket, onClosed: () => void): ProxyConnection {
  function cut(): void {
    client.destroy()
    server.destroy()
    onClosed()
  }
  const pipes: Record<Direction, Pipe> = {
    'to server': createPipe(client, server, cut),
    'to client': createPipe(server, client, cut),
  }
  for (const socket of [client, server]) socket.on('error', cut)
  return {
    hold(...directions) {
      for (const direction of directions) pipes[direction].limit(0, 'hold')
    },
    limit: (direction, bytes, then) => pipes[direction].limit(bytes, then),
    resume() {
      for (const direction of DIRECTIONS) pipes[direction].resume()
    },
    cut,
  }
}

type Pipe = { limit(bytes: number, then: 'hold' | 'cut'): void; resume(): void }

function createPipe(from: Socket, to: Socket, cut: () => void): Pipe {
  let left = Number.POSITIVE_INFINITY
  let then: 'hold' | 'cut' = 'hold'
  let isOver = false
  const held: Buffer[] = []

  function pass(chunk: Buffer): void {
    const now = chunk.subarray(0, Math.min(chunk.length, left))
    left -= now.length
    if (now.length === chunk.length && left > 0) {
      to.write(now)
      return
    }
    if (now.length < chunk.length) held.push(chunk.subarray(now.length))
    if (then === 'hold') to.write(now)
    else to.write(now, cut)
  }

  function finish(): void {
    isOver = true
    // A silent connection does not report that the other end has closed it.
    if (left > 0) cut()
  }

  from.on('data', pass)
  from.on('end', finish)
  from.on('close', finish)
  return {
    limit(bytes, what) {
      left = bytes
      then = what
      if (bytes === 0 && what === 'cut') cut()
    },
    resume() {
      left = Number.POSITIVE_INFINITY
      for (const chunk of held.splice(0)) to.write(chunk)
      if (isOver) cut()
    },
  }
}
