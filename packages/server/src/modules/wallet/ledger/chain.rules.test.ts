import { describe, expect, it } from 'vitest'
import { createHmacKey } from '../../../lib/secrets/hmac.ts'
import { CHAIN_START, canonicalEntry, extendChains, hashEntry } from './chain.rules.ts'
import type { ChainedEntry, Head } from './chain.types.ts'

const KEY = createHmacKey(Buffer.alloc(32, 7))

function entryOf(resellerId: bigint, sequence: bigint): ChainedEntry {
  return {
    resellerId,
    sequence,
    kind: 'deposit',
    houseAccount: 'bank',
    amount: 5n,
    balanceAfter: sequence * 5n,
    paymentId: null,
    reference: null,
    remarks: 'Kedai Ñ',
    createdAtMicros: 1_785_427_199_500_001n,
  }
}

const headAt = (resellerId: bigint, sequence: bigint): Head => ({ resellerId, sequence, hash: CHAIN_START })

describe('the chain', () => {
  it('has a written form that stays: what was chained by one version verifies with the next', () => {
    expect(canonicalEntry(entryOf(3n, 1n))).toBe(
      '15:warung ledger 1,1:3,1:1,7:deposit,4:bank,1:5,1:5,-,-,8:Kedai Ñ,16:1785427199500001,',
    )
    expect(hashEntry(KEY, entryOf(3n, 1n), CHAIN_START).toString('hex')).toBe(
      '1a74a8f0a404446c711f66f2bb1e8244ed5d7d554594a34f9036f6b5b4d69a34',
    )
  })

  it('goes on from each head, each hash over the one before', () => {
    const entries = [entryOf(1n, 1n), entryOf(1n, 2n), entryOf(2n, 5n)]
    const { hashes, heads, broken } = extendChains(
      KEY,
      [headAt(1n, 0n), headAt(2n, 4n), headAt(3n, 9n)],
      entries,
    )
    const first = hashEntry(KEY, entryOf(1n, 1n), CHAIN_START)
    const second = hashEntry(KEY, entryOf(1n, 2n), first)
    const other = hashEntry(KEY, entryOf(2n, 5n), CHAIN_START)
    expect(hashes.map((each) => each.hash)).toEqual([first, second, other])
    expect(heads).toEqual([
      { resellerId: 1n, sequence: 2n, hash: second },
      { resellerId: 2n, sequence: 5n, hash: other },
    ])
    expect(broken).toEqual([])
  })

  it('leaves a wallet alone after its gap, and one without a head', () => {
    const entries = [entryOf(1n, 2n), entryOf(1n, 1n), entryOf(9n, 1n)]
    const { hashes, heads, broken } = extendChains(KEY, [headAt(1n, 0n)], entries)
    expect({ hashes, heads }).toEqual({ hashes: [], heads: [] })
    expect(broken).toEqual([{ resellerId: 1n, sequence: 1n, text: 'the entry is missing' }])
  })

  it('stops before a gap, and goes on in the other wallets', () => {
    const entries = [entryOf(1n, 1n), entryOf(1n, 3n), entryOf(1n, 4n), entryOf(2n, 2n), entryOf(3n, 1n)]
    const { heads, broken } = extendChains(KEY, [headAt(1n, 0n), headAt(2n, 0n), headAt(3n, 0n)], entries)
    expect(heads.map(({ resellerId, sequence }) => [resellerId, sequence])).toEqual([
      [1n, 1n],
      [3n, 1n],
    ])
    expect(broken.map(({ resellerId, sequence }) => [resellerId, sequence])).toEqual([
      [1n, 2n],
      [2n, 1n],
    ])
  })
})
