import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import pg from 'pg'

/** Connection to PostgreSQL that a test can cut and mend. */
export type BreakableLine = {
  /** Address that leads to the same database. */
  readonly url: string
  cut(): void
  mend(): void
  close(): Promise<void>
}

export async function openBreakableLine(databaseUrl: string): Promise<BreakableLine> {
  const { host, port, user = '', password, database = '' } = new pg.Client(databaseUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((client) => {
    if (isCut) {
      client.destroy()
      return
    }
    const remote = host.startsWith('/') ? connect(join(host, `.s.PGSQL.${port}`)) : connect(port, host)
    for (const socket of [client, remote]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        client.destroy()
        remote.destroy()
      })
    }
    client.pipe(remote)
    remote.pipe(client)
  })
  const destroyAll = () => {
    for (const socket of sockets) socket.destroy()
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url: `postgres://${encodeURIComponent(user)}:${encodeURIComponent(String(password))}@${address}/${database}`,
    cut() {
      isCut = true
      destroyAll()
    },
    mend() {
      isCut = false
    },
    async close() {
      destroyAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
