import { createHmac, timingSafeEqual } from 'node:crypto'
import { pattern } from '../../lib/input/fields.ts'
import { REASON } from '../../lib/input/records.ts'
import type { Actor, AuditBreak, AuditCaller, AuditHead, AuditRecord, ChainedRecord } from './types.ts'

const FORMAT = 'warung audit 1'
const HEAD_FORMAT = 'warung audit head 1'

/** Hash before the first row. */
export const CHAIN_START: Buffer = Buffer.alloc(32)

export const REASON_RULES = { reason: REASON }
export const ACTION_RULE = pattern('must be words with dots between', /^[a-z_]+(\.[a-z_]+)+$/)

// ── The chain ──

/**
 * Writes each value with its length before it, so that no two records give the same text; an absent value has
 * its own mark.
 */
export function canonicalRecord(record: AuditRecord): string {
  return [
    FORMAT,
    record.sequence,
    record.atMicros,
    record.actorKind,
    record.actorId,
    record.actor,
    record.credential,
    record.address,
    record.action,
    record.targetKind,
    record.target,
    record.before,
    record.after,
    record.reason,
  ]
    .map(lengthed)
    .join('')
}

function lengthed(value: string | bigint | null): string {
  if (value === null) return '-,'
  const spelt = String(value)
  return `${Buffer.byteLength(spelt)}:${spelt},`
}

export function hashRecord(key: Buffer, record: AuditRecord, previous: Buffer): Buffer {
  return createHmac('sha256', key).update(canonicalRecord(record), 'utf8').update(previous).digest()
}

/** Signs the end of the log: a row's own hash does not show that no row follows. */
export function sealHead(key: Buffer, sequence: bigint, hash: Buffer): Buffer {
  return createHmac('sha256', key)
    .update(lengthed(HEAD_FORMAT) + lengthed(sequence), 'utf8')
    .update(hash)
    .digest()
}

export type ChainPosition = { readonly sequence: bigint; readonly hash: Buffer }

export const WALK_START: ChainPosition = { sequence: 0n, hash: CHAIN_START }

/** Checks the next row; returns the new position, or the break. */
export function checkRecord(
  key: Buffer,
  before: ChainPosition,
  record: ChainedRecord,
): ChainPosition | AuditBreak {
  const sequence = before.sequence + 1n
  if (record.sequence !== sequence) {
    return { kind: 'sequence', sequence, expected: `row ${sequence}`, found: `row ${record.sequence}` }
  }
  const hash = hashRecord(key, record, before.hash)
  if (hash.equals(record.hash)) return { sequence, hash }
  return { kind: 'hash', sequence, expected: hash.toString('hex'), found: record.hash.toString('hex') }
}

/** Compares the log's end with its head. */
export function checkHead(
  key: Buffer,
  last: ChainPosition,
  head: AuditHead | undefined,
): AuditBreak | undefined {
  if (head === undefined) {
    return { kind: 'head', sequence: last.sequence, expected: `a head at ${last.sequence}`, found: 'none' }
  }
  if (head.sequence !== last.sequence || !head.hash.equals(last.hash)) {
    return {
      kind: 'head',
      sequence: head.sequence,
      expected: `${head.sequence} ${head.hash.toString('hex')}`,
      found: `${last.sequence} ${last.hash.toString('hex')}`,
    }
  }
  const seal = sealHead(key, head.sequence, head.hash)
  if (seal.length === head.seal.length && timingSafeEqual(seal, head.seal)) return undefined
  return { kind: 'head', sequence: head.sequence, expected: 'the seal of this head', found: 'another' }
}

// ── Actors ──

export function actorOf(caller: AuditCaller): Actor {
  switch (caller.kind) {
    case 'operator':
      return {
        kind: caller.via === 'token' ? 'token' : 'operator',
        id: caller.operatorId,
        name: caller.email,
        credential: caller.credentialId,
        address: caller.address,
      }
    case 'member':
      return {
        kind: 'member',
        id: caller.userId,
        name: caller.username,
        credential: caller.credentialId,
        address: caller.address,
      }
    case 'command':
    case 'system':
      return { kind: caller.kind, id: null, name: caller.name, credential: null, address: null }
  }
}

// ── States before and after ──

const HIDDEN = '(hidden)'
const JSON_BYTES_MAX = 64 * 1024
const DEPTH_MAX = 12
/** Words that make a name the name of a secret, for any value. */
const SECRET_WORDS = new Set([
  'authorization',
  'cookie',
  'digest',
  'hash',
  'ic',
  'otp',
  'passphrase',
  'password',
  'passwords',
  'pin',
  'pins',
  'recovery',
  'sealed',
  'secret',
  'secrets',
  'token',
  'tokens',
  'totp',
])
const WORDS = /[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g

/** Returns JSON without secrets, because the log is kept for ever and many may read it. null stays null. */
export function snapshotOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  const json = JSON.stringify(plain(value, 0))
  const bytes = Buffer.byteLength(json)
  return bytes <= JSON_BYTES_MAX ? json : JSON.stringify({ '(too long)': bytes })
}

function plain(value: unknown, depth: number): unknown {
  if (typeof value === 'bigint') return String(value)
  // PostgreSQL refuses NUL, even escaped in JSON.
  if (typeof value === 'string') return value.replaceAll('\u0000', '')
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Date) return value.toISOString()
  if (ArrayBuffer.isView(value)) return HIDDEN
  if (depth >= DEPTH_MAX) return '(too deep)'
  if (Array.isArray(value) || value instanceof Set) return [...value].map((each) => plain(each, depth + 1))
  const entries: [unknown, unknown][] = value instanceof Map ? [...value] : Object.entries(value)
  return Object.fromEntries(
    entries.map(([name, each]) => [
      String(name),
      isSecret(String(name), each) ? HIDDEN : plain(each, depth + 1),
    ]),
  )
}

/** Tells whether a value must be hidden; its absence is no secret. */
function isSecret(name: string, value: unknown): boolean {
  if (value === null || value === undefined || value === '' || typeof value === 'boolean') return false
  return (name.match(WORDS) ?? []).some((word) => SECRET_WORDS.has(word.toLowerCase()))
}
