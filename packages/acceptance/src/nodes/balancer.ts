import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { send } from '../http.ts'

/** Load balancer of connections: a new one goes to the next node that was ready when it was last asked. */
export type Balancer = {
  readonly baseUrl: string
  add(nodeUrl: string): void
  remove(nodeUrl: string): void
  isReady(nodeUrl: string): boolean
  /** Ways in which each node was first seen not to be ready: a status of /readyz, or an error. */
  readonly departures: ReadonlyMap<string, string>
  /** Errors of connections to nodes that were taken for ready. */
  readonly errors: readonly string[]
  close(): void
}

const ASK_EVERY_MS = 100

export async function startBalancer(): Promise<Balancer> {
  const nodes = new Map<string, boolean>()
  const departures = new Map<string, string>()
  const errors: string[] = []
  const sockets = new Set<Socket>()
  let turn = 0

  async function look(nodeUrl: string): Promise<void> {
    const seen = await send({ baseUrl: nodeUrl, path: '/readyz' }).then(
      ({ status }) => String(status),
      (error: unknown) => (error as NodeJS.ErrnoException).code ?? 'error',
    )
    const wasReady = nodes.get(nodeUrl)
    if (wasReady === undefined) return
    nodes.set(nodeUrl, seen === '200')
    if (wasReady && seen !== '200') departures.set(nodeUrl, seen)
  }

  const asking = setInterval(() => {
    for (const nodeUrl of nodes.keys()) void look(nodeUrl)
  }, ASK_EVERY_MS)

  function choose(): string | undefined {
    const ready = [...nodes].filter(([, isReady]) => isReady).map(([nodeUrl]) => nodeUrl)
    turn += 1
    return ready[turn % ready.length]
  }

  const server = createServer({ allowHalfOpen: true }, (client) => {
    const nodeUrl = choose()
    sockets.add(client)
    client.once('close', () => sockets.delete(client))
    client.on('error', () => {})
    if (nodeUrl === undefined) {
      errors.push('no node is ready')
      client.resetAndDestroy()
      return
    }
    const { hostname, port } = new URL(nodeUrl)
    const node = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    node.on('error', (error) => {
      errors.push(`${nodeUrl}: ${error.message}`)
      client.resetAndDestroy()
    })
    client.once('close', () => node.destroy())
    client.pipe(node)
    node.pipe(client)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    add(nodeUrl) {
      nodes.set(nodeUrl, false)
    },
    remove: (nodeUrl) => void nodes.delete(nodeUrl),
    isReady: (nodeUrl) => nodes.get(nodeUrl) === true,
    departures,
    errors,
    close() {
      clearInterval(asking)
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
