import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createHmacKey } from '../../../lib/secrets/hmac.ts'
import { runs } from '../../../testing/runs.ts'
import { checkEnd, checkNextEntry, WALK_START } from './audit.rules.ts'
import type { AuditedEntry, Break, BreakKind, Subject } from './audit.types.ts'
import { CHAIN_START, hashEntry } from './chain.rules.ts'

// A wallet is made right, and one thing about it is then made wrong. Whatever else could show it is mended, so that each
// comparison of the proof has to find its own fault.

const KEY = createHmacKey(Buffer.alloc(32, 7))
const OTHER_HASH = Buffer.alloc(32, 9)

type Wallet = { entries: AuditedEntry[]; subject: Subject; strayHash?: bigint }

const KINDS = {
  deposit: { houseAccount: 'bank', sign: 1n, hasPayment: false },
  commission: { houseAccount: 'commissions', sign: 1n, hasPayment: false },
  adjustment: { houseAccount: 'adjustments', sign: 1n, hasPayment: false },
  payment: { houseAccount: 'provider_clearing', sign: -1n, hasPayment: true },
  refund: { houseAccount: 'provider_clearing', sign: 1n, hasPayment: true },
} as const

type Movement = { kind: keyof typeof KINDS; amount: bigint; passedMicros: bigint }

const movement = fc.record<Movement>({
  kind: fc.constantFrom(...(Object.keys(KINDS) as (keyof typeof KINDS)[])),
  amount: fc.bigInt({ min: 1n, max: 1_000_000n }),
  passedMicros: fc.bigInt({ min: 1n, max: 10n ** 12n }),
})

const OPENING: Movement = { kind: 'deposit', amount: 10n ** 9n, passedMicros: 1n }

/** Draws a wallet of 3 to 8 entries, of which the first two at least are chained, and a place among the middle ones. */
const drawn = fc
  .record({
    movements: fc.array(movement, { minLength: 2, maxLength: 7 }),
    chained: fc.nat(5),
    place: fc.nat(5),
  })
  .map(({ movements, chained, place }) => {
    const count = movements.length + 1
    const wallet = walletOf([OPENING, ...movements], 2 + (chained % (count - 1)))
    return { wallet, at: 1 + (place % (count - 1)) }
  })

function walletOf(movements: readonly Movement[], chained: number): Wallet {
  let balance = 0n
  let atMicros = 1_700_000_000_000_000n
  const entries = movements.map(({ kind, amount, passedMicros }, index): AuditedEntry => {
    const { houseAccount, sign, hasPayment } = KINDS[kind]
    balance += amount * sign
    atMicros += passedMicros
    return {
      resellerId: 4n,
      sequence: BigInt(index + 1),
      kind,
      houseAccount,
      amount: amount * sign,
      balanceAfter: balance,
      paymentId: hasPayment ? BigInt(index + 100) : null,
      reference: null,
      remarks: `No. ${index}`,
      createdAtMicros: atMicros,
      hash: undefined,
    }
  })
  return chainedTo(entries, chained)
}

/** Chains the first entries anew and makes the wallet, its head and an exported head those of the entries. */
function chainedTo(unchained: readonly AuditedEntry[], chained: number): Wallet {
  let hash = CHAIN_START
  const entries = unchained.map((entry, index) => {
    if (index >= chained) return { ...entry, hash: undefined }
    hash = hashEntry(KEY, entry, hash)
    return { ...entry, hash }
  })
  const last = entries.at(-1)
  const head = { sequence: BigInt(chained), hash }
  return {
    entries,
    subject: {
      account: '6000001',
      wallet: { balance: last?.balanceAfter ?? 0n, sequence: last?.sequence ?? 0n },
      head,
      exported: { account: '6000001', ...head },
      key: KEY,
    },
  }
}

function firstBreak({ entries, subject, strayHash }: Wallet): Break | undefined {
  let walk = WALK_START
  for (const entry of entries) {
    const step = checkNextEntry(subject, walk, entry)
    if ('brk' in step) return step.brk
    walk = step.walk
  }
  return checkEnd(subject, walk, strayHash)
}

const changed = ({ subject, ...wallet }: Wallet, change: Partial<Subject>): Wallet => ({
  ...wallet,
  subject: { ...subject, ...change },
})

/** Changes one entry, and chains everything anew with the service's own key: the contents alone can show it. */
function rewritten(wallet: Wallet, at: number, change: Partial<AuditedEntry>): Wallet {
  const entries = wallet.entries.map((entry, index) => (index === at ? { ...entry, ...change } : entry))
  return chainedTo(entries, Number(wallet.subject.head?.sequence ?? 0n))
}

/** Changes one entry and leaves the chain as it was. */
function forged(wallet: Wallet, at: number, change: Partial<AuditedEntry>): Wallet {
  return {
    ...wallet,
    entries: wallet.entries.map((each, index) => (index === at ? { ...each, ...change } : each)),
  }
}

const entryAt = ({ entries }: Wallet, at: number) => entries[at] as AuditedEntry
const headOf = ({ subject }: Wallet) => subject.head as { sequence: bigint; hash: Buffer }
const lastOf = ({ entries }: Wallet) => BigInt(entries.length)

it('a wallet that was only ever posted to has no break', () => {
  fc.assert(
    fc.property(drawn, ({ wallet }) => {
      expect(firstBreak(wallet)).toBeUndefined()
      expect(firstBreak(changed(wallet, { exported: undefined, key: undefined }))).toBeUndefined()
    }),
    { numRuns: runs(100) },
  )
})

it.each<[string, BreakKind, (wallet: Wallet, at: number) => Wallet]>([
  ['a number is left out', 'sequence', (each, at) => rewritten(each, at, { sequence: BigInt(at + 2) })],
  ['a number is there twice', 'sequence', (each, at) => rewritten(each, at, { sequence: BigInt(at) })],
  [
    'an amount is not what moved the balance',
    'balance',
    (each, at) => rewritten(each, at, { amount: entryAt(each, at).amount * 2n }),
  ],
  [
    'a balance does not follow from the one before',
    'balance',
    (each, at) => rewritten(each, at, { balanceAfter: entryAt(each, at).balanceAfter + 1n }),
  ],
  [
    'a balance is below zero',
    'balance',
    (each, at) => {
      const amount = -(entryAt(each, at - 1).balanceAfter + 1n)
      const kind = { kind: 'adjustment', houseAccount: 'adjustments', paymentId: null }
      const cut = { ...each, entries: each.entries.slice(0, at + 1) }
      return chainedTo(rewritten(cut, at, { ...kind, amount, balanceAfter: -1n }).entries, 1)
    },
  ],
  [
    'an entry is dated before the one before it',
    'time',
    (each, at) => rewritten(each, at, { createdAtMicros: entryAt(each, at - 1).createdAtMicros - 1n }),
  ],
  ['a kind does not exist', 'shape', (each, at) => rewritten(each, at, { kind: 'gift' })],
  [
    'a house account is not that of the kind',
    'shape',
    (each, at) => rewritten(each, at, { houseAccount: 'till' }),
  ],
  [
    'a payment is missing or is one too many',
    'shape',
    (each, at) => rewritten(each, at, { paymentId: entryAt(each, at).paymentId === null ? 5n : null }),
  ],
  [
    'an entry moves nothing',
    'shape',
    (each, at) => {
      const { balanceAfter } = entryAt(each, at - 1)
      const cut = { ...each, entries: each.entries.slice(0, at + 1) }
      const nothing = {
        kind: 'adjustment',
        houseAccount: 'adjustments',
        paymentId: null,
        amount: 0n,
        balanceAfter,
      }
      return chainedTo(rewritten(cut, at, nothing).entries, 1)
    },
  ],
  [
    'a deposit takes money',
    'shape',
    (each, at) => {
      const { balanceAfter } = entryAt(each, at - 1)
      const cut = { ...each, entries: each.entries.slice(0, at + 1) }
      const taking = { kind: 'deposit', houseAccount: 'bank', paymentId: null, amount: -1n }
      return chainedTo(rewritten(cut, at, { ...taking, balanceAfter: balanceAfter - 1n }).entries, 1)
    },
  ],
  ['the text of a chained entry is another one', 'hash', (each) => forged(each, 1, { remarks: 'x' })],
  ['a chained entry has another hash', 'hash', (each) => forged(each, 0, { hash: OTHER_HASH })],
  ['a chained entry has no hash', 'chain', (each) => forged(each, 1, { hash: undefined })],
  [
    'an entry after the head has a hash',
    'chain',
    (each) =>
      changed(each, { head: { sequence: 1n, hash: entryAt(each, 0).hash as Buffer }, exported: undefined }),
  ],
  [
    'the head has another hash',
    'head',
    (each) => changed(each, { head: { ...headOf(each), hash: OTHER_HASH } }),
  ],
  [
    'an exported head had another hash',
    'exported_head',
    (each) => changed(each, { exported: { account: '6000001', ...headOf(each), hash: OTHER_HASH } }),
  ],
  [
    'the head is behind one that was exported',
    'head',
    (each) => {
      const back = chainedTo(each.entries, 1)
      return changed(back, { exported: { account: '6000001', ...headOf(each) } })
    },
  ],
  [
    'the wallet counts more entries than there are',
    'sequence',
    (each) => changed(each, { wallet: { ...each.subject.wallet, sequence: lastOf(each) + 1n } }),
  ],
  [
    'the wallet counts fewer entries than there are',
    'wallet',
    (each) => changed(each, { wallet: { ...each.subject.wallet, sequence: lastOf(each) - 1n } }),
  ],
  [
    'the wallet holds something else',
    'wallet',
    (each) =>
      changed(each, { wallet: { ...each.subject.wallet, balance: each.subject.wallet.balance + 1n } }),
  ],
  [
    'the head counts more entries than there are',
    'sequence',
    (each) => {
      const whole = chainedTo(each.entries, each.entries.length)
      return changed(whole, { head: { ...headOf(whole), sequence: lastOf(each) + 1n }, exported: undefined })
    },
  ],
  [
    'there is a hash of an entry that is gone',
    'sequence',
    (each) => ({ ...each, strayHash: lastOf(each) + 1n }),
  ],
  [
    'an exported head counts more entries than there are',
    'sequence',
    (each) =>
      changed(each, { exported: { account: '6000001', sequence: lastOf(each) + 1n, hash: OTHER_HASH } }),
  ],
])('it is found when %s', (_what, kind, tamper) => {
  fc.assert(
    fc.property(drawn, ({ wallet, at }) => {
      expect(firstBreak(tamper(wallet, at))).toMatchObject({ kind, account: '6000001' })
    }),
    { numRuns: runs(100) },
  )
})
