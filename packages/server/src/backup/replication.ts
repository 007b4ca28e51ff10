import pg from 'pg'

// The server's replication protocol: base backups and the log, over a connection of their own. pg_basebackup and
// pg_receivewal speak the same one; the embedded server does not come with them.

/** Rows of one result, as text. */
export type ResultSet = readonly (readonly (string | null)[])[]

type Connection = {
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  readonly stream: { pause(): void; resume(): void; destroy(): void }
  on(event: string, listener: () => void): void
  off(event: string, listener: () => void): void
}

export type Replication = {
  /** Runs a command to its end. `onData` gets the data of a copy; the bytes are its own. */
  run(command: string, onData?: (chunk: Buffer) => void): Promise<readonly ResultSet[]>
  /** Sends data while a command copies in both directions. */
  send(chunk: Buffer): void
  /** Holds back what the server sends, until `resume`. */
  pause(): void
  resume(): void
  end(): Promise<void>
  /** Cuts the connection: the command under way rejects. */
  cut(): void
}

const CONNECT_TIMEOUT_MS = 10_000

/** Opens a connection for physical replication. */
export async function connectReplication(config: pg.ClientConfig): Promise<Replication> {
  const client = new pg.Client({
    ...config,
    replication: 'true',
    application_name: 'warungd backup',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
  } as pg.ClientConfig)
  // A lost connection also fails the command; without a listener the error would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
  } catch (error) {
    await client.end().catch(() => {})
    throw explain(error, config)
  }
  const { connection } = client as unknown as { connection: Connection }
  return {
    run: (command, onData) => runOn(client, connection, command, onData),
    send: (chunk) => connection.sendCopyFromChunk(chunk),
    pause: () => connection.stream.pause(),
    resume: () => connection.stream.resume(),
    end: () => client.end(),
    cut: () => connection.stream.destroy(),
  }
}

const NOT_ALLOWED = new Set(['28000', '42501', '53300'])

/** Returns what was thrown as an error. */
export function errorOf(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** Says what an external server needs, in the words that an operator can copy. */
function explain(error: unknown, config: pg.ClientConfig): Error {
  const code = error instanceof pg.DatabaseError ? error.code : undefined
  if (code === undefined || !NOT_ALLOWED.has(code)) return errorOf(error)
  const role = new pg.Client(config).user ?? 'warung'
  return new Error(
    `the server does not let "${role}" copy the database: ${(error as Error).message}\n` +
      'Copying needs the right of replication. As a superuser of that server:\n' +
      `  alter role "${role}" replication;\n` +
      'and in its pg_hba.conf, with the address of this machine, followed by "select pg_reload_conf()":\n' +
      `  host  replication  ${role}  ADDRESS/32  scram-sha-256\n` +
      'It also needs wal_level = replica and free max_wal_senders, which are the defaults.',
    { cause: error },
  )
}

/** Runs one command. The driver has no reader for results beside a copy, so this is one. */
function runOn(
  client: pg.Client,
  connection: Connection,
  command: string,
  onData: ((chunk: Buffer) => void) | undefined,
): Promise<readonly ResultSet[]> {
  return new Promise((resolve, reject) => {
    const sets: (string | null)[][][] = []
    // The server ends a copy in both directions when it has sent everything; the other direction is ended here.
    const endCopy = () => connection.endCopyFrom()
    let isBoth = false
    const begin = () => {
      isBoth = true
    }
    const done = () => {
      if (isBoth) endCopy()
    }
    connection.on('replicationStart', begin)
    connection.on('copyDone', done)
    const release = () => {
      connection.off('replicationStart', begin)
      connection.off('copyDone', done)
    }
    const submitted = {
      submit: () => {
        connection.query(command)
      },
      handleRowDescription: () => void sets.push([]),
      handleDataRow: ({ fields }: { fields: (string | null)[] }) => void sets.at(-1)?.push(fields),
      // The driver's buffer is used again.
      handleCopyData: ({ chunk }: { chunk: Buffer }) => onData?.(Buffer.from(chunk)),
      handleCommandComplete: () => {},
      handleCopyInResponse: () => {},
      handleEmptyQuery: () => {},
      handlePortalSuspended: () => {},
      handleError(error: unknown) {
        release()
        reject(error)
      },
      handleReadyForQuery() {
        release()
        resolve(sets)
      },
    }
    client.query(submitted as unknown as pg.Submittable)
  })
}

/** State of the server that a connection for replication sees. */
export type System = {
  readonly systemId: string
  readonly timeline: number
  readonly position: string
  readonly segmentBytes: number
}

export async function identifySystem(replication: Replication): Promise<System> {
  const [identity] = await replication.run('IDENTIFY_SYSTEM')
  const [systemId, timeline, position] = identity?.[0] ?? []
  const [shown] = await replication.run('SHOW wal_segment_size')
  const segmentBytes = parseSize(shown?.[0]?.[0] ?? '')
  if (!systemId || !timeline || !position) throw new Error('the server did not say who it is')
  return { systemId, timeline: Number(timeline), position, segmentBytes }
}

const UNITS: Readonly<Record<string, number>> = { B: 1, kB: 1_024, MB: 1_048_576, GB: 1_073_741_824 }

/** Reads a size as the server shows it: 16MB. */
export function parseSize(text: string): number {
  const [, number, unit = ''] = /^(\d+)\s*([kMG]?B)$/.exec(text) ?? []
  const bytes = Number(number) * (UNITS[unit] ?? Number.NaN)
  if (!Number.isSafeInteger(bytes)) throw new Error(`"${text}" is no size`)
  return bytes
}
