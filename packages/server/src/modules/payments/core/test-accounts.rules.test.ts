import { describe, expect, it } from 'vitest'
import type { Body } from '../../../testing/payments/judging.ts'
import { bodiesOf, decisionOf, FIRST, SELLABLE, verdictOf } from '../../../testing/payments/judging.ts'
import type { JudgeInput } from '../take/judge.rules.ts'
import { isTestAccount, REJECTING_TEST_ACCOUNTS } from './test-accounts.rules.ts'

it.each([
  ...[41, 43, 44, 45, 47, 48, 49, 52, 55, 56, 57, 62].map((code) => `601234500${code}`),
  '60123450454',
  '60123450464',
  '60123450861',
  '60123451000',
  '60123451030',
  '60123451999',
  '60123452005',
  '60123453001',
  '60123453002',
  '60123453003',
  '60123454001',
  '60123454002',
])('%s is a test account', (account) => {
  expect(isTestAccount(account)).toBe(true)
})

it.each([
  '60123456789',
  '60123450046',
  '60123450054',
  '60123450058',
  '60123453004',
  '60123453000',
  '60123454003',
  '60123455001',
  '6012345100',
  '601234510000',
  ' 60123451000',
  '160123450047',
  '601234500471',
  '160123453001',
  '601234530011',
  '160123454001',
  '601234540011',
  '60123451000\n',
  '0123450041',
  '',
])('%j is an account like any other', (account) => {
  expect(isTestAccount(account)).toBe(false)
})

it('the accounts that are turned away end in their code, but for the one of 54', () => {
  for (const [account, code] of REJECTING_TEST_ACCOUNTS) {
    expect(account).toBe(code === 54 ? '60123450464' : `601234500${code}`)
  }
})

describe('staging', () => {
  const STAGING = { isStaging: true }
  const REJECTED = [
    ['60123450041', '41 Account_Suspended'],
    ['60123450043', '43 Insufficient_Balance'],
    ['60123450044', '44 Product_Unavailable'],
    ['60123450045', '45 Out_Of_Stock'],
    ['60123450049', '49 Temporary_Error_Please_Try_Again'],
    ['60123450052', '52 Invalid_Account'],
    ['60123450464', '54 Duplicate_Or_Daily_Limit'],
    ['60123450056', '56 Account_Blacklisted'],
    ['60123450062', '62 Identity_Check_Failed'],
  ] as const

  it('this list has every account that is turned away', () => {
    const accounts = [...REJECTING_TEST_ACCOUNTS.keys()].toSorted()
    expect(REJECTED.map(([account]) => account).toSorted()).toEqual(accounts)
  })

  it.each(REJECTED)('%s is turned away with %s, for every product', async (account, expected) => {
    for (const { account: reseller, product } of SELLABLE) {
      const [body] = await bodiesOf(product)
      expect(await verdictOf(reseller, { ...body, account }, STAGING)).toBe(expected)
    }
  })

  it('60123450454 is a duplicate unless the request says that it is meant, and costs nothing to try', async () => {
    const body = { product: 'NOVA', amount: 10, account: '012-345 0454' }
    expect(await verdictOf(FIRST, body, STAGING)).toBe('54 Possible_Duplicate')
    expect(await verdictOf(FIRST, { ...body, allow_duplicate: true }, STAGING)).toBe('accepted NOVA10')
    expect(await verdictOf(FIRST, body)).toBe('accepted NOVA10')
    expect(await verdictOf(FIRST, { ...body, amount: 7 }, STAGING)).toBe('58 Invalid_Denomination')
  })

  it.each(REJECTED)('%s is an account like any other in production', async (account) => {
    expect(await verdictOf(FIRST, { product: 'NOVA', amount: 10, account })).toBe('accepted NOVA10')
    expect(await verdictOf(FIRST, { product: 'STORE', amount: 500, account })).toBe('52 Invalid_Account')
  })

  it.each(['60123450047', '60123450861', '60123451030', '60123452001', '60123453003', '60123454002'])(
    '%s is taken by every product, whatever its pattern says',
    async (account) => {
      for (const { account: reseller, product } of SELLABLE) {
        const [body] = await bodiesOf(product)
        expect(await verdictOf(reseller, { ...body, account }, STAGING)).toMatch(/^accepted/)
      }
    },
  )

  it('judges other accounts by the pattern', async () => {
    const body = { product: 'STORE', amount: 500, account: '60123455001' }
    expect(await verdictOf(FIRST, body, STAGING)).toBe('52 Invalid_Account')
  })

  it('turns a test account away at the place of its code in the order', async () => {
    const verdict = (account: string, change: Body, input: Partial<JudgeInput> = {}) =>
      verdictOf(FIRST, { product: 'NOVAD', amount: 35, account, ...change }, { ...STAGING, ...input })
    expect(await verdict('60123450041', { remarks: 7 })).toBe('44 Invalid_Format')
    expect(await verdict('60123450041', { product: 'NOPE' })).toBe('41 Account_Suspended')
    expect(await verdict('60123450044', { product: 'NOPE' })).toBe('44 Invalid_Product')
    expect(await verdict('60123450044', { amount: 7 })).toBe('44 Product_Unavailable')
    expect(await verdict('60123450052', { product: 'NOPE' })).toBe('44 Invalid_Product')
    expect(await verdict('60123450052', { amount: 7 })).toBe('52 Invalid_Account')
    for (const account of ['60123450043', '60123450045', '60123450464', '60123450056', '60123450062']) {
      expect(await verdict(account, { product: 'NOPE' })).toBe('44 Invalid_Product')
      expect(await verdict(account, { amount: 7 })).toBe('58 Invalid_Denomination')
      expect(await verdict(account, { extras: { subproduct_code: 'NONE' } })).toBe(
        '44 Unknown or inactive option code',
      )
      const suspended = { reseller: { status: 'suspended', access: 0 } as const }
      expect(await verdict(account, {}, suspended)).toBe('41 Account_Suspended')
    }
  })
})

describe('a number in another spelling', () => {
  it('has the canonical number beside it where it was written otherwise', async () => {
    const body = { product: 'NOVA', amount: 10 }
    const canonicalOf = async (account: string) =>
      (await decisionOf(FIRST, { ...body, account })).canonicalAccount
    expect(await canonicalOf('012-345 6789')).toBe('60123456789')
    expect(await canonicalOf('60123456789')).toBeUndefined()
  })

  it('is a test account in any spelling', async () => {
    const body = { product: 'NOVA', amount: 10, account: '012-345 0056' }
    expect(await verdictOf(FIRST, body, { isStaging: true })).toBe('56 Account_Blacklisted')
  })
})
