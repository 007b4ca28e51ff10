import { describe, expect, it } from 'vitest'
import { createHmacKey } from '../../../lib/secrets/hmac.ts'
import { checkEnd, checkNextEntry, readExportedHeads, WALK_START } from './audit.rules.ts'
import type { AuditedEntry, Subject } from './audit.types.ts'
import { CHAIN_START, hashEntry } from './chain.rules.ts'

const KEY = createHmacKey(Buffer.alloc(32, 7))
const OTHER_HASH = Buffer.alloc(32, 9)
const AT_MICROS = 1_785_427_199_500_001n

const FIRST: AuditedEntry = {
  resellerId: 4n,
  sequence: 1n,
  kind: 'deposit',
  houseAccount: 'bank',
  amount: 50_000n,
  balanceAfter: 50_000n,
  paymentId: null,
  reference: null,
  remarks: '',
  createdAtMicros: AT_MICROS,
  hash: undefined,
}
const SECOND: AuditedEntry = {
  ...FIRST,
  sequence: 2n,
  kind: 'payment',
  houseAccount: 'provider_clearing',
  amount: -50_000n,
  balanceAfter: 0n,
  paymentId: 77n,
}
const FIRST_HASH = hashEntry(KEY, FIRST, CHAIN_START)
const SECOND_HASH = hashEntry(KEY, SECOND, FIRST_HASH)

/** Wallet of which nothing is chained yet. */
const FRESH: Subject = {
  account: '6000001',
  wallet: { balance: 0n, sequence: 2n },
  head: undefined,
  exported: undefined,
  key: KEY,
}
const AFTER_FIRST = { sequence: 1n, balance: 50_000n, atMicros: AT_MICROS, hash: CHAIN_START }
const AFTER_SECOND = { ...AFTER_FIRST, sequence: 2n, balance: 0n }

/** Returns the break at an entry, without the account. */
function breakAt(entry: AuditedEntry, subject: Subject = FRESH, walk = WALK_START) {
  const step = checkNextEntry(subject, walk, entry)
  if (!('brk' in step)) return undefined
  const { account, ...found } = step.brk
  expect(account).toBe('6000001')
  return found
}

describe('an entry', () => {
  it('without a head is stepped over, and its hash is not computed', () => {
    expect(checkNextEntry(FRESH, WALK_START, FIRST)).toEqual({ walk: AFTER_FIRST })
  })

  it('may be of the smallest amount', () => {
    const smallest = { ...FIRST, amount: 1n, balanceAfter: 1n }
    expect(breakAt(smallest)).toBeUndefined()
  })

  it('may leave nothing, and may be of the same moment as the one before', () => {
    expect(checkNextEntry(FRESH, AFTER_FIRST, SECOND)).toEqual({ walk: AFTER_SECOND })
  })

  it('an entry other than the next one is named with the missing one', () => {
    expect(breakAt({ ...SECOND, sequence: 3n }, FRESH, AFTER_FIRST)).toEqual({
      kind: 'sequence',
      sequence: 2n,
      expected: 'entry 2',
      found: 'entry 3',
    })
  })

  it('with another balance is named with the sum', () => {
    expect(breakAt({ ...SECOND, balanceAfter: 1n }, FRESH, AFTER_FIRST)).toEqual({
      kind: 'balance',
      sequence: 2n,
      expected: '5.00 and -5.00 leave 0.00',
      found: '0.0001',
    })
  })

  it('an entry that is dated too early is named with both times', () => {
    expect(breakAt({ ...SECOND, createdAtMicros: AT_MICROS - 1n }, FRESH, AFTER_FIRST)).toEqual({
      kind: 'time',
      sequence: 2n,
      expected: 'not before 2026-07-30T15:59:59.500001Z, the time of the entry before it',
      found: '2026-07-30T15:59:59.500000Z',
    })
  })

  it.each([
    [
      { houseAccount: 'till' },
      'an amount above zero against bank without a payment',
      'deposit 5.00 against till without a payment',
    ],
    [
      { kind: 'payment' },
      'an amount below zero against provider_clearing of a payment',
      'payment 5.00 against bank without a payment',
    ],
    [
      { kind: 'adjustment', paymentId: 77n },
      'an amount against adjustments without a payment',
      'adjustment 5.00 against bank of payment 77',
    ],
    [
      { kind: 'gift' },
      'a kind of deposit, adjustment, commission, payment, refund',
      'gift 5.00 against bank without a payment',
    ],
  ])('an entry of the wrong shape %o is told the right one', (change, expected, found) => {
    expect(breakAt({ ...FIRST, ...change })).toEqual({ kind: 'shape', sequence: 1n, expected, found })
  })
})

describe('the chain at an entry', () => {
  const chained: Subject = { ...FRESH, head: { sequence: 1n, hash: FIRST_HASH } }

  it('has a hash up to the head, and none after it', () => {
    expect(breakAt(FIRST, chained)).toEqual({
      kind: 'chain',
      sequence: 1n,
      expected: 'a hash of this entry',
      found: 'none',
    })
    const after = { ...AFTER_FIRST, hash: FIRST_HASH }
    expect(breakAt({ ...SECOND, hash: SECOND_HASH }, chained, after)).toEqual({
      kind: 'chain',
      sequence: 2n,
      expected: 'no hash after the head, which is at 1',
      found: 'one',
    })
    expect(breakAt({ ...FIRST, hash: FIRST_HASH })).toMatchObject({
      expected: 'no hash after the head, which is at 0',
    })
  })

  it('is compared with the entry, the exported head and the head', () => {
    const [right, wrong] = [FIRST_HASH.toString('hex'), OTHER_HASH.toString('hex')]
    const entry = { ...FIRST, hash: FIRST_HASH }
    expect(breakAt({ ...FIRST, hash: OTHER_HASH }, chained)).toEqual({
      kind: 'hash',
      sequence: 1n,
      expected: `${right} of this entry as it is`,
      found: wrong,
    })
    const exported = { account: '6000001', sequence: 1n, hash: OTHER_HASH }
    expect(breakAt(entry, { ...chained, exported })).toEqual({
      kind: 'exported_head',
      sequence: 1n,
      expected: `${wrong}, as it was exported`,
      found: right,
    })
    expect(breakAt(entry, { ...chained, head: { sequence: 1n, hash: OTHER_HASH } })).toEqual({
      kind: 'head',
      sequence: 1n,
      expected: right,
      found: wrong,
    })
    expect(breakAt(entry, chained)).toBeUndefined()
  })

  it('is computed beyond the head as far as a head was exported', () => {
    const exported = { account: '6000001', sequence: 1n, hash: FIRST_HASH }
    expect(checkNextEntry({ ...FRESH, exported }, WALK_START, FIRST)).toEqual({
      walk: { ...AFTER_FIRST, hash: FIRST_HASH },
    })
  })
})

describe('the end of a wallet', () => {
  const endOf = (change: Partial<Subject>, strayHash?: bigint) => {
    const found = checkEnd({ ...FRESH, ...change }, AFTER_SECOND, strayHash)
    return (
      found && { kind: found.kind, sequence: found.sequence, expected: found.expected, found: found.found }
    )
  }

  it('is right without a chain', () => {
    expect(endOf({})).toBeUndefined()
  })

  it.each<[string, Partial<Subject>, bigint | undefined, string]>([
    ['the wallet', { wallet: { balance: 0n, sequence: 3n } }, undefined, 'the wallet counts 3'],
    ['the head', { head: { sequence: 3n, hash: OTHER_HASH } }, undefined, '3 were chained'],
    ['a hash', {}, 9n, 'there is a hash of entry 9'],
    [
      'an exported head',
      { exported: { account: '6000001', sequence: 3n, hash: OTHER_HASH } },
      undefined,
      'an exported head counts 3',
    ],
  ])('%s that knows a further entry names the missing one', (_, change, strayHash, words) => {
    expect(endOf(change, strayHash)).toEqual({
      kind: 'sequence',
      sequence: 3n,
      expected: `entry 3: ${words}`,
      found: 'no entry',
    })
  })

  it('a wallet that holds something else is named with both', () => {
    expect(endOf({ wallet: { balance: 10_000n, sequence: 2n } })).toEqual({
      kind: 'wallet',
      sequence: 2n,
      expected: '2 entries and 0.00',
      found: '2 entries and 1.00',
    })
  })

  it('a head that is behind an exported one is named with its place', () => {
    const exported = { account: '6000001', sequence: 2n, hash: SECOND_HASH }
    const words = { kind: 'head', expected: 'a head at 2 or further, as it was exported' }
    expect(endOf({ exported })).toEqual({ ...words, sequence: 0n, found: 'a head at 0' })
    expect(endOf({ exported, head: { sequence: 1n, hash: FIRST_HASH } })).toEqual({
      ...words,
      sequence: 1n,
      found: 'a head at 1',
    })
    expect(endOf({ exported, head: { sequence: 2n, hash: SECOND_HASH } })).toBeUndefined()
    expect(endOf({ exported: { ...exported, sequence: 1n } })).toMatchObject({ found: 'a head at 0' })
  })
})

describe('a file of exported heads', () => {
  const HASH = 'ab'.repeat(32)

  it('is read as it was printed', () => {
    const text = JSON.stringify({ heads: [{ account: '6000001', sequence: 1, hash: HASH }] })
    expect(readExportedHeads(text)).toEqual([
      { account: '6000001', sequence: 1n, hash: Buffer.from(HASH, 'hex') },
    ])
    expect(readExportedHeads('{"heads":[]}')).toEqual([])
  })

  it.each(['', 'text', 'null', '7', '{}', '{"heads":{}}', '{"heads":null}'])('%j is none', (text) => {
    expect(() => readExportedHeads(text)).toThrow(/^must be what `warungd ledger heads --json` printed$/)
  })

  it('the refusal of a text that is no JSON keeps its cause', () => {
    expect(() => readExportedHeads('text')).toThrow(
      expect.objectContaining({ cause: expect.any(SyntaxError) }),
    )
  })

  it.each([
    null,
    {},
    { account: 6_000_001, sequence: 1, hash: HASH },
    { account: '6000001', sequence: '1', hash: HASH },
    { account: '6000001', sequence: 1.5, hash: HASH },
    { account: '6000001', sequence: 0, hash: HASH },
    { account: '6000001', sequence: -1, hash: HASH },
    { account: '6000001', sequence: 1, hash: 7 },
    { account: '6000001', sequence: 1, hash: [HASH] },
    { account: '6000001', sequence: 1, hash: 'ab' },
  ])('the head %j is refused with its place', (head) => {
    const right = { account: '6000001', sequence: 1, hash: HASH }
    expect(() => readExportedHeads(JSON.stringify({ heads: [right, head] }))).toThrow(/; head 2 is not$/)
  })
})
