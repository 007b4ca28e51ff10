import { describe, expect, it } from 'vitest'
import { idRangesOf } from './summaries.rules.ts'

describe('the ids that begin with some digits', () => {
  it.each<[string, bigint, bigint]>([
    ['188206', 1_882_060_000_000_000_000n, 1_882_070_000_000_000_000n],
    ['1882064086011740756', 1_882_064_086_011_740_756n, 1_882_064_086_011_740_757n],
    // The last ids of the database's bigint.
    ['922337', 9_223_370_000_000_000_000n, 9_223_372_036_854_775_807n],
    ['9223372036854775807', 9_223_372_036_854_775_807n, 9_223_372_036_854_775_807n],
    ['9223372036854775806', 9_223_372_036_854_775_806n, 9_223_372_036_854_775_807n],
  ])('%s: from %s until %s', (beginning, fromId, untilId) => {
    expect(idRangesOf(beginning)).toEqual([{ fromId, untilId }])
  })

  it.each([
    '18820',
    '018820',
    '18820640860117407561',
    '9223372036854775808',
    '922338',
    '188206x',
    'x188206',
    '',
  ])('%j begins no id', (beginning) => expect(idRangesOf(beginning)).toEqual([]))
})
