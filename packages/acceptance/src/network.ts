import { once } from 'node:events'
import type { AddressInfo, NetConnectOpts, Socket } from 'node:net'
import { connect, createServer } from 'node:net'

/** Network between a service and its database that can go silent without an error. */
export type Network = {
  /** Address of the database through this network. */
  readonly url: string
  /** Makes open connections silent; with `alsoNew`, also those that are opened later. */
  fallSilent(options?: { alsoNew?: boolean }): void
  /** Delivers the held bytes. */
  recover(): void
  close(): Promise<void>
}

export async function openNetwork(databaseUrl: string): Promise<Network> {
  const links = new Set<Socket>()
  let isSilent = false
  const server = createServer((near) => {
    const far = connect(targetOf(databaseUrl))
    const cut = () => {
      for (const end of [near, far]) {
        end.destroy()
        links.delete(end)
      }
    }
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      links.add(from)
      from.on('data', (bytes) => to.write(bytes))
      for (const event of ['error', 'close']) from.on(event, cut)
      if (isSilent) from.pause()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: addressVia(databaseUrl, (server.address() as AddressInfo).port),
    fallSilent({ alsoNew = false } = {}) {
      isSilent = alsoNew
      for (const link of links) link.pause()
    },
    recover() {
      isSilent = false
      for (const link of links) link.resume()
    },
    async close() {
      for (const link of links) link.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}

function targetOf(databaseUrl: string): NetConnectOpts {
  const url = new URL(databaseUrl)
  const directory = url.searchParams.get('host')
  const port = Number(url.port || 5432)
  return directory === null ? { host: url.hostname, port } : { path: `${directory}/.s.PGSQL.${port}` }
}

function addressVia(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl)
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return url.href
}
