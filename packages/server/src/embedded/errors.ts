/** Error when no server is carried for this platform, or the carried one cannot run here. */
export class EmbeddedUnavailableError extends Error {
  constructor(reason: string, cause?: unknown) {
    super(`${reason}\nSet DATABASE_URL to use a PostgreSQL server (15 or newer) of your own.`, { cause })
    this.name = 'EmbeddedUnavailableError'
  }
}

/** Error when another live process owns this data directory. */
export class AlreadyRunningError extends Error {
  readonly ownerPid: number
  /** Note that the owner wrote about itself, such as the address it answers on. */
  readonly ownerNote: string | undefined

  constructor(dataDir: string, ownerPid: number, ownerNote: string | undefined) {
    const note = ownerNote === undefined ? '' : ` (${ownerNote})`
    super(`process ${ownerPid}${note} already runs on the data directory ${dataDir}`)
    this.name = 'AlreadyRunningError'
    this.ownerPid = ownerPid
    this.ownerNote = ownerNote
  }
}

/** Returns the `code` of a failed system call: ENOENT, EACCES… */
export function systemCode(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  return typeof code === 'string' ? code : undefined
}

export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

const HINTS: readonly (readonly [RegExp, string])[] = [
  [
    /No space left on device|ENOSPC|Disk quota exceeded/i,
    'The disk is full: free some space, then start again.',
  ],
  [
    /wrong ownership|Permission denied|EACCES|EPERM|Operation not permitted/i,
    'Check who owns the data directory and every directory above it: the user that runs the server must reach it.',
  ],
  [
    /Read-only file system|EROFS/i,
    'The file system is mounted read-only: choose a data directory elsewhere.',
  ],
  [
    /Cannot allocate memory|could not map anonymous shared memory|out of memory/i,
    'The machine has too little free memory for the shared_buffers setting.',
  ],
  [
    /pre-existing shared memory block/i,
    'Another PostgreSQL process still works on this cluster: stop it, then start again.',
  ],
  [
    /could not locate a valid checkpoint record|invalid checkpoint|pg_control|PANIC|incorrect checksum/i,
    'The cluster is damaged: restore it from a backup, or move it away to begin with an empty database.',
  ],
]

class EmbeddedFailure extends Error {
  readonly hint: string | undefined

  constructor(text: string, hint: string | undefined, cause: unknown) {
    super(`${text}${hint === undefined ? '' : `\nHint: ${hint}`}`, { cause })
    this.name = 'Error'
    this.hint = hint
  }
}

/** Builds an error that a person can act on: what failed, what the server itself said, and what to do about it. */
export function failure(text: string, said = '', cause?: unknown): Error {
  const own = said.trim()
  const quoted = own === '' ? '' : `\nThe server said:\n${own.replace(/^/gm, '  ')}`
  // A failure that is wrapped again already carries its hint.
  const hint = hasHint(cause) ? undefined : HINTS.find(([pattern]) => pattern.test(`${text}\n${own}`))?.[1]
  return new EmbeddedFailure(`${text}${quoted}`, hint, cause)
}

function hasHint(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (error instanceof EmbeddedFailure && error.hint !== undefined) || hasHint(error.cause)
}
