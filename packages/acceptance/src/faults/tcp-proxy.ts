import type { Server, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

/** Direction of bytes: from the service to the server behind the proxy, or back. */
export type Direction = 'to_server' | 'to_client'

/** Network between the service and a server, on which bytes can be held, and connections cut. */
export type TcpProxy = {
  readonly port: number
  /** Holds the bytes in this direction, also those of later connections. */
  pause(direction: Direction): void
  /** Delivers the held bytes, also from a side that has closed its connection meanwhile. */
  resume(direction: Direction): void
  /** Returns true if a text is among the bytes that are held in this direction. */
  holds(direction: Direction, text: string): boolean
  /** Resets every connection; the held bytes are lost. */
  cut(): void
  /** Resets every connection and each new one, until `accept` is called. */
  refuse(): void
  accept(): void
  close(): Promise<void>
}

export type Target =
  | { readonly host: string; readonly port: number }
  /** Socket in the file system. */
  | { readonly path: string }

type Pipe = {
  readonly from: Socket
  readonly to: Socket
  readonly direction: Direction
  /** Bytes that were sent and have not arrived. */
  readonly held: Buffer[]
  hasEnded: boolean
}

export async function startTcpProxy(target: Target): Promise<TcpProxy> {
  const paused = new Set<Direction>()
  const pipes = new Set<Pipe>()
  let isRefusing = false

  function arrive(pipe: Pipe): void {
    if (paused.has(pipe.direction)) return
    for (const chunk of pipe.held.splice(0)) pipe.to.write(chunk)
    if (!pipe.hasEnded) return
    pipes.delete(pipe)
    pipe.to.end()
  }

  function flow(from: Socket, to: Socket, direction: Direction): void {
    const pipe: Pipe = { from, to, direction, held: [], hasEnded: false }
    pipes.add(pipe)
    from.on('error', () => {})
    from.on('data', (chunk) => {
      pipe.held.push(chunk)
      arrive(pipe)
    })
    from.on('close', () => {
      pipe.hasEnded = true
      arrive(pipe)
    })
  }

  const server: Server = createServer((client) => {
    if (isRefusing) {
      client.destroy()
      return
    }
    const behind = connect(target)
    flow(client, behind, 'to_server')
    flow(behind, client, 'to_client')
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')

  function cut(): void {
    for (const { from, to } of pipes) {
      reset(from)
      reset(to)
    }
    pipes.clear()
  }

  return {
    port: address.port,
    pause: (direction) => void paused.add(direction),
    resume(direction) {
      paused.delete(direction)
      for (const pipe of pipes) if (pipe.direction === direction) arrive(pipe)
    },
    holds: (direction, text) =>
      [...pipes].some((pipe) => pipe.direction === direction && Buffer.concat(pipe.held).includes(text)),
    cut,
    refuse() {
      isRefusing = true
      cut()
    },
    accept() {
      isRefusing = false
    },
    async close() {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Resets a socket. A socket in the file system has no reset: the other side sees only the end of the connection. */
function reset(socket: Socket): void {
  if (socket.remoteAddress === undefined) socket.destroy()
  else socket.resetAndDestroy()
}

/** Opens a proxy to the same database. */
export async function proxyDatabase(url: string): Promise<{ proxy: TcpProxy; url: string }> {
  const behind = new URL(url)
  const port = Number(behind.port || 5432)
  const directory = behind.searchParams.get('host')
  const proxy = await startTcpProxy(
    directory === null ? { host: behind.hostname, port } : { path: `${directory}/.s.PGSQL.${port}` },
  )
  behind.searchParams.delete('host')
  behind.hostname = '127.0.0.1'
  behind.port = String(proxy.port)
  return { proxy, url: behind.href }
}
