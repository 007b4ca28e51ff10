import type { AddressInfo, Socket } from 'node:net'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import type pg from 'pg'
import type { Database } from '../../db/database.ts'
import { openDatabase } from '../../db/database.ts'

/** Connection to PostgreSQL that a test can break at any moment. */
export type BreakableLine = {
  /** Settings of a connection to the same database. */
  readonly connection: pg.ClientConfig
  /** Address of the same connection, for a command. */
  readonly url: string
  /** Breaks connections and refuses new ones, until `mend` is called. */
  cut(): void
  mend(): void
  /**
   * Breaks the next COMMIT: the server never gets it, or carries it out and its answer is lost, or the line is cut right
   * behind the answer.
   */
  breakCommit(when: Break['when'], then?: { readonly isCut: boolean }): void
  /** Breaks the next message: the server gets it and carries it out, and its answer is lost. */
  breakNext(): void
  close(): Promise<void>
}

type Break = { readonly when: 'before' | 'after' | 'answered'; readonly isCut: boolean }

/** COMMIT as the driver sends it: a simple query. */
const COMMIT = Buffer.from('commit\0')

export async function openBreakableLine(target: pg.ClientConfig): Promise<BreakableLine> {
  const sockets = new Set<Socket>()
  let isCut = false
  let commit: Break | undefined
  let isNext = false

  function destroyAll(): void {
    for (const socket of sockets) socket.destroy()
  }

  function breakOff(found: Break, both: readonly Socket[]): void {
    isCut = found.isCut
    if (isCut) destroyAll()
    for (const socket of both) socket.destroy()
  }

  const server = createServer((client) => {
    if (isCut) {
      client.destroy()
      return
    }
    const remote = connect(addressOf(target))
    const both = [client, remote]
    let lost: Break | undefined
    for (const socket of both) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.once('close', () => {
        sockets.delete(socket)
        for (const other of both) other.destroy()
      })
    }
    client.on('data', (bytes) => {
      if (isCut) return
      const found = isNext || bytes.includes(COMMIT) ? commit : undefined
      if (found !== undefined) [commit, isNext] = [undefined, false]
      if (found?.when === 'before') breakOff(found, both)
      else {
        lost ??= found
        remote.write(bytes)
      }
    })
    // The server answers a COMMIT when it is durable. An answer that has arrived proves it.
    remote.on('data', (bytes) => {
      if (lost === undefined) client.write(bytes)
      else if (lost.when === 'answered') {
        const found = lost
        isCut = true
        client.write(bytes, () => breakOff({ ...found, isCut }, both))
      } else breakOff(lost, both)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    connection: { ...target, host: '127.0.0.1', port },
    url: `postgres://${target.user}:${encodeURIComponent(String(target.password))}@127.0.0.1:${port}/${target.database}`,
    cut() {
      isCut = true
      destroyAll()
    },
    mend() {
      isCut = false
    },
    breakCommit(when, then = { isCut: false }) {
      commit = { when, isCut: then.isCut }
    },
    breakNext() {
      commit = { when: 'after', isCut: false }
      isNext = true
    },
    async close() {
      destroyAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Runs the work with a database on a line of its own, and closes both. */
export async function withBreakableDatabase<T>(
  target: pg.ClientConfig,
  work: (database: Database, line: BreakableLine) => Promise<T>,
): Promise<T> {
  const line = await openBreakableLine(target)
  const database = openDatabase({ connection: line.connection, connectionsMax: 4, applicationName: 'test' })
  try {
    return await work(database, line)
  } finally {
    await database.close()
    await line.close()
  }
}

function addressOf({ host = 'localhost', port = 5432 }: pg.ClientConfig) {
  return host.startsWith('/') ? { path: join(host, `.s.PGSQL.${port}`) } : { host, port }
}
