import pg from 'pg'
import { ask, clientConfigOf, ReadOnlyServerError } from '../connection.ts'
import type { PlaceRow } from './place.ts'
import { FIND_PLACE, PLACE_STATE, refuseUnserved } from './place.ts'

/** Place to which the connections of a database lead. A group can be moved while the service runs; then it changes. */
export type Target = {
  /** Settings of new connections; another object after each move. */
  readonly config: pg.ClientConfig
  readonly connection: pg.ClientConfig
  readonly whereabouts: Whereabouts
  /** Calls back after the next moves, until `owner` is forgotten. */
  onMoved(owner: object, call: () => void): void
  /** Tells whether an error may come from a place that the group left. It looks at the error alone. */
  mayHaveMoved(error: unknown): boolean
  /** Finds out whether the group was moved, and leads the connections there. Throws where the new place is not known. */
  look(cause: unknown): Promise<void>
  /** Looks, and goes on where the group is here. */
  expectHere(): Promise<void>
  movedError(cause: unknown): MovedError
}

/** State of the place of a group, as a service has to know it. */
export type Whereabouts = {
  /** True after a move: what belongs to the older place, such as its standby, is not this group's any more. */
  readonly hasMoved: boolean
  /** Explains why the group cannot be served at any known place; undefined: it can, as far as is known. */
  readonly trouble: string | undefined
  /** Follows a move that was done before; throws where the group cannot be found. */
  follow(): Promise<void>
  /** Leads all connections to another place, once the group is served there. */
  lead(connection: pg.ClientConfig): Promise<void>
}

/**
 * Error of a place that the group has left: certainly nothing was done there. To the caller it is a server that only
 * reads.
 */
export class MovedError extends ReadOnlyServerError {
  constructor(text: string, cause: unknown) {
    super()
    this.name = 'MovedError'
    this.message = text
    this.cause = cause
  }
}

export type TargetOptions = {
  readonly connection: pg.ClientConfig
  readonly schema?: string | undefined
  readonly applicationName: string
  readonly statementMs: number
  readonly types: pg.CustomTypesConfig
  readonly openAddress?: ((sealed: Buffer) => Promise<string>) | undefined
}

/** Errors of a place where the schema was replaced: a write refused; a table, function or schema that is not there. */
const LEFT = new Set(['25006', '42P01', '42883', '3F000'])
const LOOK_MS = 3_000
/** Limit of places that are followed at one look: a group that was moved on meanwhile. */
const HOPS_MAX = 4

export function createTarget(options: TargetOptions): Target {
  const { openAddress } = options
  const listeners = new Map<object, () => void>()
  let connection = options.connection
  let config = configOf(connection)
  let hasMoved = false
  let trouble: string | undefined
  let looking: Promise<void> | undefined

  function configOf(given: pg.ClientConfig): pg.ClientConfig {
    return { ...clientConfigOf(given, options), types: options.types }
  }

  function settleAt(next: pg.ClientConfig): void {
    connection = next
    config = configOf(next)
    hasMoved = true
    for (const call of listeners.values()) call()
  }

  /** Reads the row of a place; undefined: it has none, because it is of an earlier version or not a group's. */
  async function read(at: pg.ClientConfig): Promise<PlaceRow | undefined> {
    const client = new pg.Client({ ...configOf(at), connectionTimeoutMillis: LOOK_MS })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows: found } = await ask<{ is_there: boolean }>(client, FIND_PLACE, [], LOOK_MS)
      if (found[0]?.is_there !== true) return undefined
      return (await ask<PlaceRow>(client, PLACE_STATE, [], LOOK_MS)).rows[0]
    } finally {
      void client.end().catch(() => {})
    }
  }

  async function follow(open: NonNullable<typeof openAddress>): Promise<void> {
    let at = connection
    let place = await read(at)
    for (let hop = 0; place?.state === 'moved' && hop < HOPS_MAX; hop += 1) {
      const { epoch, other, address } = place
      trouble = `the group was moved to ${other}, and cannot be reached there`
      if (address === null) throw new MovedError(trouble, undefined)
      at = { connectionString: await open(address) }
      const next = await read(at)
      // It may still arrive: the older place tells that all of it is there.
      if (next === undefined || next.epoch < epoch) {
        trouble = `the group was moved to ${other}, where it is not any more`
        throw new MovedError(trouble, undefined)
      }
      place = next
    }
    trouble = undefined
    if (at !== connection) settleAt(at)
  }

  async function look(cause: unknown): Promise<void> {
    if (openAddress === undefined) return
    looking ??= follow(openAddress).finally(() => {
      looking = undefined
    })
    await looking.catch((error: unknown) => {
      if (error instanceof MovedError || trouble !== undefined) {
        throw new MovedError(trouble ?? String(error), error)
      }
      // The place itself cannot be asked: then the first error says more.
      throw cause ?? error
    })
  }

  return {
    get config() {
      return config
    },
    get connection() {
      return connection
    },
    whereabouts: {
      get hasMoved() {
        return hasMoved
      },
      get trouble() {
        return trouble
      },
      follow: () => look(undefined),
      async lead(next) {
        const place = await read(next)
        if (place === undefined) throw new Error('there is no group of this name')
        refuseUnserved(place)
        const own = await read(connection).catch(() => undefined)
        const isNewer = own === undefined || own.state !== 'serving' || own.epoch < place.epoch
        if (!isNewer && own.identity !== place.identity) {
          throw new Error('the present place still serves the group, and no move led to the other one')
        }
        trouble = undefined
        settleAt(next)
      },
    },
    onMoved(owner, call) {
      listeners.set(owner, call)
      if (owner instanceof pg.Client) owner.once('end', () => listeners.delete(owner))
    },
    mayHaveMoved: (error) =>
      openAddress !== undefined &&
      (error instanceof ReadOnlyServerError ||
        (error instanceof pg.DatabaseError && LEFT.has(error.code ?? ''))),
    look,
    async expectHere() {
      if (openAddress !== undefined) await look(undefined).catch(() => {})
    },
    movedError: (cause) => new MovedError('the group was moved to another place', cause),
  }
}
