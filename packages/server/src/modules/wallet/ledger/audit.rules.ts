import type { Amount } from '../../../lib/money.ts'
import { formatMoney } from '../../../lib/money.ts'
import { isHexDigest } from '../../../lib/secrets/digests.ts'
import type { HouseAccount, TransferKind } from '../balance/types.ts'
import type { AuditedEntry, Break, BreakKind, ExportedHead, Subject } from './audit.types.ts'
import { CHAIN_START, hashEntry } from './chain.rules.ts'
import { formatInstant } from './instants.rules.ts'

/** Progress of the audit in a wallet. */
export type Walk = {
  readonly sequence: bigint
  readonly balance: Amount
  readonly atMicros: bigint | undefined
  readonly hash: Buffer
}

export const WALK_START: Walk = { sequence: 0n, balance: 0n, atMicros: undefined, hash: CHAIN_START }

type Step = { readonly walk: Walk } | { readonly brk: Break }

// ── One entry ──

/** Checks the next entry and steps over it, or returns why it cannot be the next one. */
export function checkNextEntry(subject: Subject, walk: Walk, entry: AuditedEntry): Step {
  const found = checkSequenceAndBalance(subject, walk, entry) ?? checkShape(subject, entry)
  if (found !== undefined) return { brk: found }
  const hash = nextHash(subject, walk, entry)
  const chainBreak = checkHash(subject, entry, hash)
  if (chainBreak !== undefined) return { brk: chainBreak }
  const { sequence, balanceAfter: balance, createdAtMicros: atMicros } = entry
  return { walk: { sequence, balance, atMicros, hash } }
}

function checkSequenceAndBalance(subject: Subject, walk: Walk, entry: AuditedEntry): Break | undefined {
  const breakOf = breaksAt(subject, entry.sequence)
  const next = walk.sequence + 1n
  if (entry.sequence !== next) {
    return breaksAt(subject, next)('sequence', `entry ${next}`, `entry ${entry.sequence}`)
  }
  const balance = walk.balance + entry.amount
  if (entry.balanceAfter !== balance || balance < 0n) {
    const words = `${formatMoney(walk.balance)} and ${formatMoney(entry.amount)} leave ${formatMoney(balance)}`
    return breakOf('balance', words, formatMoney(entry.balanceAfter))
  }
  if (walk.atMicros !== undefined && entry.createdAtMicros < walk.atMicros) {
    const before = `not before ${formatInstant(walk.atMicros)}, the time of the entry before it`
    return breakOf('time', before, formatInstant(entry.createdAtMicros))
  }
  return undefined
}

type Shape = { houseAccount: HouseAccount; sign: 1n | -1n | undefined; hasPayment: boolean }

const SHAPES: Readonly<Record<TransferKind, Shape>> = {
  deposit: { houseAccount: 'bank', sign: 1n, hasPayment: false },
  adjustment: { houseAccount: 'adjustments', sign: undefined, hasPayment: false },
  commission: { houseAccount: 'commissions', sign: 1n, hasPayment: false },
  payment: { houseAccount: 'provider_clearing', sign: -1n, hasPayment: true },
  refund: { houseAccount: 'provider_clearing', sign: 1n, hasPayment: true },
}

function checkShape(subject: Subject, entry: AuditedEntry): Break | undefined {
  const shape = Object.entries(SHAPES).find(([kind]) => kind === entry.kind)?.[1]
  const isRight =
    shape !== undefined &&
    shape.houseAccount === entry.houseAccount &&
    entry.amount !== 0n &&
    (shape.sign === undefined || entry.amount * shape.sign > 0n) &&
    (entry.paymentId !== null) === shape.hasPayment
  if (isRight) return undefined
  const expected = shape === undefined ? `a kind of ${Object.keys(SHAPES).join(', ')}` : shapeText(shape)
  const payment = entry.paymentId === null ? 'without a payment' : `of payment ${entry.paymentId}`
  const found = `${entry.kind} ${formatMoney(entry.amount)} against ${entry.houseAccount} ${payment}`
  return breaksAt(subject, entry.sequence)('shape', expected, found)
}

function shapeText({ houseAccount, sign, hasPayment }: Shape): string {
  const amount = sign === undefined ? 'an amount' : `an amount ${sign > 0n ? 'above' : 'below'} zero`
  return `${amount} against ${houseAccount} ${hasPayment ? 'of a payment' : 'without a payment'}`
}

// ── The chain ──

function nextHash(subject: Subject, walk: Walk, entry: AuditedEntry): Buffer {
  // Hashes beyond the head are needed only where an exported head reaches further than it.
  const isNeeded = entry.sequence <= (subject.head?.sequence ?? 0n) || subject.exported !== undefined
  return subject.key === undefined || !isNeeded ? walk.hash : hashEntry(subject.key, entry, walk.hash)
}

function checkHash(subject: Subject, entry: AuditedEntry, computed: Buffer): Break | undefined {
  const { head, exported, key } = subject
  const breakOf = breaksAt(subject, entry.sequence)
  const isChained = entry.sequence <= (head?.sequence ?? 0n)
  if (isChained && entry.hash === undefined) return breakOf('chain', 'a hash of this entry', 'none')
  if (!isChained && entry.hash !== undefined) {
    return breakOf('chain', `no hash after the head, which is at ${head?.sequence ?? 0n}`, 'one')
  }
  if (key === undefined) return undefined
  if (entry.hash !== undefined && !entry.hash.equals(computed)) {
    return breakOf('hash', `${computed.toString('hex')} of this entry as it is`, entry.hash.toString('hex'))
  }
  if (exported?.sequence === entry.sequence && !exported.hash.equals(computed)) {
    const words = `${exported.hash.toString('hex')}, as it was exported`
    return breakOf('exported_head', words, computed.toString('hex'))
  }
  if (head?.sequence === entry.sequence && !head.hash.equals(computed)) {
    return breakOf('head', computed.toString('hex'), head.hash.toString('hex'))
  }
  return undefined
}

// ── The end of a wallet ──

/** Checks the end of a wallet after its last entry. `strayHash` is the first hash after it, if there is one. */
export function checkEnd(subject: Subject, walk: Walk, strayHash: bigint | undefined): Break | undefined {
  const { wallet, head, exported } = subject
  const breakOf = breaksAt(subject, walk.sequence + 1n)
  const missing = (who: string) => breakOf('sequence', `entry ${walk.sequence + 1n}: ${who}`, 'no entry')
  if (wallet.sequence > walk.sequence) return missing(`the wallet counts ${wallet.sequence}`)
  if (head !== undefined && head.sequence > walk.sequence) {
    return missing(`${head.sequence} were chained`)
  }
  if (strayHash !== undefined) return missing(`there is a hash of entry ${strayHash}`)
  if (exported !== undefined && exported.sequence > walk.sequence) {
    return missing(`an exported head counts ${exported.sequence}`)
  }
  if (wallet.sequence !== walk.sequence || wallet.balance !== walk.balance) {
    const words = (sequence: bigint, balance: Amount) => `${sequence} entries and ${formatMoney(balance)}`
    return breaksAt(subject, walk.sequence)(
      'wallet',
      words(walk.sequence, walk.balance),
      words(wallet.sequence, wallet.balance),
    )
  }
  if (exported !== undefined && exported.sequence > (head?.sequence ?? 0n)) {
    const words = `a head at ${exported.sequence} or further, as it was exported`
    return breaksAt(subject, head?.sequence ?? 0n)('head', words, `a head at ${head?.sequence ?? 0n}`)
  }
  return undefined
}

function breaksAt({ account }: Subject, sequence: bigint) {
  return (kind: BreakKind, expected: string, found: string): Break => {
    return { kind, account, sequence, expected, found }
  }
}

// ── The file of exported heads ──

const HEAD_FILE_WORDS = 'must be what `warungd ledger heads --json` printed'

/** Reads exported heads. Throws with a message for the person who gave the file. */
export function readExportedHeads(text: string): ExportedHead[] {
  const heads = (parse(text) as { heads?: unknown } | null)?.heads
  if (!Array.isArray(heads)) throw new Error(HEAD_FILE_WORDS)
  return heads.map((head: unknown, index) => {
    const { account, sequence, hash } = (head ?? {}) as Record<string, unknown>
    const isRight =
      typeof account === 'string' &&
      Number.isSafeInteger(sequence) &&
      Number(sequence) > 0 &&
      typeof hash === 'string' &&
      isHexDigest(hash)
    if (!isRight) throw new Error(`${HEAD_FILE_WORDS}; head ${index + 1} is not`)
    return { account, sequence: BigInt(Number(sequence)), hash: Buffer.from(hash, 'hex') }
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(HEAD_FILE_WORDS, { cause: error })
  }
}
