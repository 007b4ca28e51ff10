import pg from 'pg'
import { cut, wasSilent, watchConnection } from './connection.ts'
import type { Target } from './moves/target.ts'
import { createOrphans, processIdOf } from './orphans.ts'

const CLOSE_TIMEOUT_MS = 3_000
/**
 * Time after which a connection that nobody used is closed. Jobs that run once a second use several at the same moment:
 * with the driver's default of ten seconds they open new ones again and again, and a new one costs several statements.
 */
const IDLE_CONNECTION_MS = 60_000

export type Pool = {
  /** Lends a connection. After an error it is lent again only if its state is known to be unchanged. */
  lend<T>(work: (client: pg.PoolClient) => Promise<T>, isAsBefore: (error: unknown) => boolean): Promise<T>
  close(): Promise<void>
}

/** Opens the connections that statements share. */
export function openPool(
  target: Target,
  settings: {
    readonly applicationName: string
    readonly connectionsMax: number
    admit(client: pg.ClientBase): Promise<void>
  },
): Pool {
  const { applicationName, connectionsMax } = settings
  const makeOrphans = () => createOrphans({ applicationName, max: connectionsMax })
  let orphans = makeOrphans()
  // Numbers of processes mean something on their own server alone.
  target.onMoved(target, () => {
    orphans = makeOrphans()
  })
  const open = new Set<pg.ClientBase>()
  const places = new WeakMap<pg.ClientBase, pg.ClientConfig>()
  class Client extends pg.Client {
    constructor() {
      super(target.config)
      places.set(this, target.config)
    }
  }
  const isElsewhere = (client: pg.ClientBase) => places.get(client) !== target.config
  const pool = new pg.Pool({
    ...target.config,
    Client,
    max: connectionsMax,
    idleTimeoutMillis: IDLE_CONNECTION_MS,
    async onConnect(client) {
      watchConnection(client)
      open.add(client)
      // The pool itself does not tell of a connection that is not admitted.
      client.once('end', () => open.delete(client))
      await settings.admit(client)
      if (!isElsewhere(client)) await orphans.admit(client)
    },
  })
  // The pool replaces a broken idle connection at the next use; without a listener the error would end the process.
  pool.on('error', () => {})

  async function take(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await pool.connect()
      if (!isElsewhere(client)) return client
      client.release(true)
    }
  }

  return {
    async lend(work, isAsBefore) {
      const client = await take()
      let failure: Error | undefined
      try {
        return await work(client)
      } catch (error) {
        if (!isAsBefore(error)) failure = error as Error
        if (!target.mayHaveMoved(error)) throw error
        if (!isElsewhere(client)) await target.look(error)
        failure ??= error as Error
        throw isElsewhere(client) ? target.movedError(error) : error
      } finally {
        if (wasSilent(client) && !isElsewhere(client)) orphans.add(processIdOf(client))
        client.release(failure ?? isElsewhere(client))
      }
    },
    async close() {
      // Statements that hang in the database must not delay the close.
      const timer = setTimeout(() => {
        for (const client of open) cut(client)
      }, CLOSE_TIMEOUT_MS)
      await pool.end().finally(() => clearTimeout(timer))
    },
  }
}
