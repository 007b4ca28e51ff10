import { describe, expect, it } from 'vitest'
import { AUTHENTICATION_REFUSALS, findRefusal, refusal } from '../http/refusals.ts'
import { FAILURE_CODES } from '../lib/failure-codes.ts'
import { PAYMENT_GUIDES, publicReason } from '../modules/payments/core/codes.rules.ts'
import { invalidDenomination, invalidFormat, REJECTIONS } from '../modules/payments/core/rejections.rules.ts'
import { isTestAccount } from '../modules/payments/core/test-accounts.rules.ts'
import { behaviourOf } from '../modules/providers/simulator/behaviour.rules.ts'
import { errorRows } from './errors.ts'
import { testAccountRows } from './test-accounts.ts'

const ROWS = errorRows()

describe('the list of errors', () => {
  it('has every rejection that the judgement can give', () => {
    const listed = ROWS.filter(({ outcome }) => outcome === 'rejected').map(
      ({ code, token }) => `${code} ${token}`,
    )
    const given = [...Object.values(REJECTIONS), invalidFormat({}), invalidDenomination('')]
    const wanted = new Set(given.map(({ code, remarks }) => `${code} ${remarks}`))
    expect(listed.toSorted()).toEqual([...wanted].toSorted())
  })

  it('has every code of a payment that exists, once', () => {
    const codes = ROWS.filter(({ kind, outcome }) => kind === 'payment' && outcome !== 'rejected')
    expect(codes.map(({ code }) => code).toSorted()).toEqual([0, 1, 20, 53, ...FAILURE_CODES].toSorted())
    expect(Object.keys(PAYMENT_GUIDES)).toHaveLength(codes.length)
  })

  it('has the codes of authentication in the order in which a request is judged', () => {
    expect(Object.keys(AUTHENTICATION_REFUSALS)).toEqual([
      'ip_blocked',
      'unauthorized',
      'invalid_token',
      'missing_api_key',
      'invalid_api_key',
      'hmac_not_configured',
      'missing_hmac_headers',
      'empty_hmac_values',
      'invalid_nonce_format',
      'invalid_timestamp_format',
      'timestamp_expired',
      'invalid_signature_format',
      'invalid_signature',
      'ip_not_allowed',
      'nonce_reused',
      'insufficient_scope',
      'api_key_required',
    ])
  })

  it('gives the words with which a caller is refused', () => {
    const thrown = refusal('nonce_reused')
    const listed = ROWS.find(({ token }) => token === 'nonce_reused')
    expect(listed).toMatchObject({ http_status: thrown.status, message: thrown.publicText })
    expect(findRefusal('nonce_reused')?.cause).toBe(listed?.cause)
    for (const unknown of [null, 'nothing', 'constructor']) expect(findRefusal(unknown)).toBeUndefined()
  })
})

it('a provider’s own words are shown where no remarks of ours stand for the code', () => {
  expect(publicReason(47)).toBe('Service_Unavailable')
  expect(publicReason(52)).toBeUndefined()
})

describe('the list of test accounts', () => {
  it('has accounts alone that staging knows, with the end that they have', () => {
    for (const { account, outcome, code } of testAccountRows()) {
      const number = account.replace('SSS', '030')
      expect(isTestAccount(number), account).toBe(true)
      if (outcome === 'rejected' || outcome === 'processing') continue
      expect(behaviourOf(number).failure ?? 20, account).toBe(code)
    }
  })

  it('has every outcome that a payment can have', () => {
    const outcomes = new Set(testAccountRows().map(({ outcome }) => outcome))
    expect([...outcomes].toSorted()).toEqual(['failed', 'processing', 'rejected', 'succeeded'])
  })
})
