import { describe, expect, it } from 'vitest'
import {
  base32Of,
  codeAt,
  factorContext,
  findStep,
  newRecoveryCodes,
  newTotpSecret,
  otpauthUri,
  recoveryDigest,
  stepAt,
} from './totp.rules.ts'

const SECRET = Buffer.from('12345678901234567890')
const PERSON = { kind: 'operator', resellerId: 0n, id: 7n } as const

describe('codes', () => {
  // Values of RFC 6238, appendix B. Apps show the last six digits of them.
  it.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('codes at %i seconds are those of the standard', (seconds, code) => {
    expect(codeAt(SECRET, stepAt(seconds * 1_000))).toBe(code)
  })

  const nowMs = 1_234_567_890_000
  const now = stepAt(nowMs)

  it('codes of the step before and after are taken, and no others', () => {
    const found = [-2n, -1n, 0n, 1n, 2n].map((away) =>
      findStep(SECRET, codeAt(SECRET, now + away), { nowMs, lastStep: 0n }),
    )
    expect(found).toEqual([undefined, now - 1n, now, now + 1n, undefined])
  })

  it('codes that were taken, and older ones, are not taken again', () => {
    const taken = (away: bigint) => findStep(SECRET, codeAt(SECRET, now + away), { nowMs, lastStep: now })
    expect([taken(-1n), taken(0n), taken(1n)]).toEqual([undefined, undefined, now + 1n])
  })

  it('are six digits and nothing else', () => {
    for (const code of ['', '12345', '1234567', 'abcdef', '12345６', ' 005924']) {
      expect(findStep(SECRET, code, { nowMs, lastStep: 0n })).toBeUndefined()
    }
  })
})

describe('secrets', () => {
  it('are spelt as RFC 4648 spells them', () => {
    const spelt = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => base32Of(Buffer.from(text)))
    expect(spelt).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'])
  })

  it('are new each time, of 160 bits', () => {
    expect(newTotpSecret()).toHaveLength(20)
    expect(newTotpSecret().equals(newTotpSecret())).toBe(false)
  })

  it('go to an app with names that need escaping', () => {
    const uri = new URL(otpauthUri('Warung', 'a+b c@example.com', SECRET))
    expect(decodeURIComponent(uri.pathname)).toContain('Warung:a+b c@example.com')
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      secret: base32Of(SECRET),
      issuer: 'Warung',
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })

  it('are named by the issuer of the settings, without the colon that would end its name', () => {
    const uri = new URL(otpauthUri('Kedai: Digital Sdn Bhd', 'a@example.com', SECRET))
    expect(uri.searchParams.get('issuer')).toBe('Kedai  Digital Sdn Bhd')
    expect(decodeURIComponent(uri.pathname).split(':')).toHaveLength(2)
  })

  it('are sealed to one person of one kind and reseller', () => {
    const keys = [PERSON, { ...PERSON, kind: 'member' as const }, { ...PERSON, resellerId: 7n, id: 0n }]
    expect(new Set(keys.map(factorContext)).size).toBe(3)
  })
})

describe('recovery codes', () => {
  it('are ten, distinct, and never mistaken for a code of the app', () => {
    const codes = newRecoveryCodes()
    expect(new Set(codes).size).toBe(10)
    for (const code of codes) expect(code).toMatch(/^([a-z2-7]{4}-){3}[a-z2-7]{4}$/)
  })

  it('are the same however they are typed, and differ from person to person', () => {
    const typed = ['abcd-efgh-2345-mnop', ' ABCD EFGH 2345 MNOP ', 'abcdefgh2345mnop']
    const digests = typed.map((code) => recoveryDigest(PERSON, code).toString('hex'))
    expect(new Set(digests).size).toBe(1)
    expect(recoveryDigest({ ...PERSON, id: 8n }, typed[0] ?? '').toString('hex')).not.toBe(digests[0])
  })
})
