import { afterEach, describe, expect, it } from 'vitest'
import type { Queryable } from '../../../db/database.ts'
import type { EventStream } from '../../../http/streams/event-stream.ts'
import type { SignedInCaller } from '../people/proof.service.ts'
import type { SessionStreams } from './streams.service.ts'
import { createSessionStreams, STREAMS_PER_SESSION_MAX } from './streams.service.ts'

// The sessions of streams are looked at in the database. These tests end before that.
const UNUSED: Pick<Queryable, 'query'> = { query: () => Promise.reject(new Error('not asked')) }
const NEVER_MS = 1_000_000_000

let streams: SessionStreams

function openStreams(kind: 'member' | 'operator', streamsMax: number): void {
  streams = createSessionStreams({
    database: UNUSED as Queryable,
    config: {
      environment: 'staging',
      publicUrl: undefined,
      dashboardUrl: undefined,
      operatorSecondFactor: 'optional',
      issuer: 'Warung',
    },
    kind,
    streamsMax,
    onProblem: () => {},
    checkEveryMs: NEVER_MS,
  })
}

afterEach(() => streams.close())

let sessions = 0

function member(account: bigint, userId: bigint): SignedInCaller {
  sessions += 1
  return {
    kind: 'member',
    userId,
    username: `user${userId}`,
    email: 'member@example.com',
    role: 'viewer',
    reseller: { id: account, account: String(account), name: 'Kedai' },
    credentialId: `session:${sessions}`,
    address: '192.0.2.1',
  }
}

function operator(operatorId: bigint): SignedInCaller {
  sessions += 1
  return {
    kind: 'operator',
    operatorId,
    email: 'operator@example.com',
    name: 'Operator',
    role: 'support',
    via: 'session',
    credentialId: `session:${sessions}`,
    address: '192.0.2.1',
  }
}

/** Opens a stream and notes its name when it ends. */
function open(name: string, caller: SignedInCaller, ended: string[]): EventStream {
  return streams.open(caller, () => ended.push(name))
}

describe('streams of open pages', () => {
  it('are a tenth of the process for one account: one more ends the oldest of its person who has most', () => {
    openStreams('member', 200)
    const ended: string[] = []
    open('colleague', member(1n, 2n), ended)
    open('other account', member(2n, 1n), ended)
    for (let at = 1; at <= 40; at += 1) open(`viewer ${at}`, member(1n, 1n), ended)
    expect(ended).toEqual(Array.from({ length: 21 }, (_, at) => `viewer ${at + 1}`))
    expect(streams.count).toBe(21)
  })

  it('give way in the account that has most when the process is full', () => {
    openStreams('member', 30)
    const ended: string[] = []
    for (const account of [1n, 2n]) {
      for (let at = 1; at <= 10; at += 1) open(`${account}:${at}`, member(account, 1n), ended)
    }
    for (let account = 3n; account <= 12n; account += 1n) open(`${account}`, member(account, 1n), ended)
    expect([streams.count, ended]).toEqual([30, []])
    open('new', member(99n, 1n), ended)
    open('new too', member(99n, 1n), ended)
    expect([streams.count, ended]).toEqual([30, ['1:1', '2:1']])
  })

  it('are refused with 503 when every account of a full process has one', () => {
    openStreams('member', 3)
    const ended: string[] = []
    for (const account of [1n, 2n, 3n]) open(String(account), member(account, 1n), ended)
    expect(() => open('new', member(4n, 1n), ended)).toThrow(expect.objectContaining({ status: 503 }))
    expect(ended).toEqual([])
  })

  it('are shared by operator in the back office', () => {
    openStreams('operator', 100)
    const ended: string[] = []
    open('colleague', operator(2n), ended)
    for (let at = 1; at <= 12; at += 1) open(`busy ${at}`, operator(1n), ended)
    expect(ended).toEqual(['busy 1', 'busy 2'])
  })

  it('are refused with 429 to a session beyond its limit', () => {
    openStreams('member', 1_000)
    const caller = member(1n, 1n)
    for (let at = 1; at <= STREAMS_PER_SESSION_MAX; at += 1) open(String(at), caller, [])
    expect(() => open('more', caller, [])).toThrow(expect.objectContaining({ status: 429 }))
  })
})
