import type { Queryable } from '../../../db/database.ts'
import type { EventStream, Farewell } from '../../../http/streams/event-stream.ts'
import { encodeMessage, encodeRetry, openEventStream } from '../../../http/streams/event-stream.ts'
import { RequestError } from '../../../lib/errors.ts'
import { repeat } from '../../../lib/repeat.ts'
import type { PersonKind } from '../people/people.types.ts'
import type { SignedInCaller } from '../people/proof.service.ts'
import { keyOf } from '../people/proof.service.ts'
import { findSessionId, SESSION_LIMITS } from '../people/rules.ts'
import type { SessionSettings } from '../people/settings.types.ts'
import { listLiveSessions } from '../people/sql.ts'

/** Streams to pages of people who are signed in. Each ends with its session. */
export type SessionStreams = {
  /**
   * Opens a stream. An account with as many as it may have loses its oldest one for it; when the process is full, the
   * account that has most loses one. Throws when the session has as many as it may have, or no account has two.
   */
  open(caller: SignedInCaller, onClosed: () => void): EventStream
  readonly count: number
  /** Ends all streams, and refuses new ones: the pages connect again, to another process or to the next one. */
  close(): Promise<void>
}

export type StreamsSettings = {
  readonly database: Queryable
  readonly config: SessionSettings
  readonly kind: PersonKind
  /** Limit of open streams in this process. */
  readonly streamsMax: number
  readonly onProblem: (error: unknown) => void
  readonly checkEveryMs?: number
}

export const STREAMS_PER_SESSION_MAX = 10
/** Share of the process's streams that one account may have: a tenth, and those of one session at least. */
const ACCOUNT_SHARE = 10
const CHECK_EVERY_MS = 2_000
/** Life of a stream: shorter than any answer may take, and spread, so that pages do not all connect again at once. */
const LIFE_MS = { least: 15 * 60_000, spread: 10 * 60_000 }
const RETRY_MS = { least: 1_000, spread: 2_000 }

type Open = {
  readonly stream: EventStream
  readonly sessionId: bigint
  readonly role: string
  /** Account of a member; an operator is an account of their own. */
  readonly account: bigint
  readonly person: bigint
  endsAtMs: number
}

/** One query looks after the sessions of all streams; a stream has none of its own. */
export function createSessionStreams(settings: StreamsSettings): SessionStreams {
  const { streamsMax } = settings
  const accountMax = Math.max(STREAMS_PER_SESSION_MAX, Math.ceil(streamsMax / ACCOUNT_SHARE))
  const streams = new Set<Open>()
  const bySession = new Map<bigint, number>()
  let isClosed = false

  function count(sessionId: bigint, by: 1 | -1): void {
    const left = (bySession.get(sessionId) ?? 0) + by
    if (left > 0) bySession.set(sessionId, left)
    else bySession.delete(sessionId)
  }

  async function check(): Promise<void> {
    if (streams.size === 0) return
    const nowMs = performance.now()
    // Streams that are opened meanwhile are not judged: their sessions were not asked about.
    const asked = [...streams]
    const live = await listLive(settings, [...bySession.keys()])
    for (const open of asked) {
      if (live.get(open.sessionId) !== open.role) part(open, 'session_ended')
      else if (nowMs > open.endsAtMs) part(open, 'renew')
    }
  }

  /** Makes a place for a stream of the account. The streams that end connect again in a while. */
  function makeRoom(account: bigint): void {
    const own = [...streams].filter((open) => open.account === account)
    if (own.length < accountMax && streams.size < streamsMax) return
    const largest = listLargest(streams, 'account')
    // Unless another account has more, the newcomer's own gives way.
    const losing = own.length >= accountMax || largest.length <= own.length ? own : largest
    const [oldest] = listLargest(losing, 'person')
    if (oldest === undefined || (losing !== own && losing.length < 2)) throw noCapacity(false)
    part(oldest, 'renew')
  }

  const checking = repeat(settings.checkEveryMs ?? CHECK_EVERY_MS, check, settings.onProblem)

  return {
    open(caller, onClosed) {
      const sessionId = sessionIdOf(caller.credentialId)
      const { kind, resellerId, id: person } = keyOf(caller)
      const account = kind === 'operator' ? person : resellerId
      if (isClosed) throw noCapacity(true)
      if ((bySession.get(sessionId) ?? 0) >= STREAMS_PER_SESSION_MAX) throw tooMany()
      makeRoom(account)
      const stream = openEventStream({
        onClosed() {
          streams.delete(open)
          count(sessionId, -1)
          onClosed()
        },
      })
      const endsAtMs = performance.now() + spread(LIFE_MS)
      const open: Open = { stream, sessionId, role: caller.role, account, person, endsAtMs }
      streams.add(open)
      count(sessionId, 1)
      stream.send(encodeRetry(spread(RETRY_MS)))
      return stream
    },
    get count() {
      return streams.size
    },
    async close() {
      isClosed = true
      for (const open of streams) part(open, 'stopping')
      await checking.stop()
    },
  }
}

/** Lists the streams of the account or person that has most of them, the oldest first. */
function listLargest(streams: Iterable<Open>, by: 'account' | 'person'): readonly Open[] {
  const groups = new Map<bigint, Open[]>()
  let largest: readonly Open[] = []
  for (const open of streams) {
    const group = groups.get(open[by]) ?? []
    group.push(open)
    groups.set(open[by], group)
    if (group.length > largest.length) largest = group
  }
  return largest
}

function listLive({ database, config, kind }: StreamsSettings, ids: readonly bigint[]) {
  return listLiveSessions(database, {
    ids,
    kind,
    idleSeconds: SESSION_LIMITS[kind].idleSeconds,
    refusesDemo: config.environment === 'production',
  })
}

function part({ stream }: Open, reason: Farewell): void {
  stream.end(encodeMessage({ event: 'bye', data: { reason } }))
}

function spread({ least, spread: width }: { readonly least: number; readonly spread: number }): number {
  return least + Math.random() * width
}

/** Reads the session's id. Only sessions have streams: a token's scripts read the feeds. */
function sessionIdOf(credentialId: string): bigint {
  const id = findSessionId(credentialId)
  if (id === undefined) {
    throw new RequestError({
      status: 403,
      code: 'session_required',
      publicText: 'A token cannot do this: sign in.',
    })
  }
  return id
}

function tooMany(): RequestError {
  return new RequestError({
    status: 429,
    code: 'too_many_streams',
    publicText: `This session has ${STREAMS_PER_SESSION_MAX} live connections already. Close a page first.`,
    headers: { 'Retry-After': '10' },
  })
}

function noCapacity(isStopping: boolean): RequestError {
  return new RequestError({
    status: 503,
    code: 'too_many_streams',
    publicText: 'There is no place for another live connection now. Try again later.',
    internalText: isStopping ? 'the process is stopping' : 'the process has as many streams as it may have',
    headers: { 'Retry-After': isStopping ? '1' : '30' },
  })
}
