import { describe, expect, it } from 'vitest'
import { digestOf } from '../../../lib/secrets/digests.ts'
import {
  cookieName,
  cookieOf,
  coversRole,
  csrfTokenOf,
  deviceCookieOf,
  findCookie,
  isForeign,
  isSameSecret,
  newSecret,
} from './rules.ts'

describe('the session’s cookie', () => {
  it('is for this host and TLS alone where the service is reached by it', () => {
    expect(cookieOf('operator', true, { value: 'x', seconds: 60 })).toBe(
      '__Host-warung_operator=x; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    )
    expect(cookieOf('member', false, { value: '', seconds: 0 })).toBe(
      'warung_member=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax',
    )
  })

  it('the cookie of a device is as closed as the session’s, and lasts a year', () => {
    expect(deviceCookieOf('operator', true, 'x')).toBe(
      '__Host-warung_operator_device=x; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure',
    )
    expect(deviceCookieOf('member', false, 'x')).toBe(
      'warung_member_device=x; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax',
    )
  })

  it('is found by its whole name among others', () => {
    const name = cookieName('operator', false)
    expect(findCookie(`a=1; ${name}=right; ${name}=planted`, name)).toBe('right')
    expect(findCookie(`x${name}=1; ${name}x=2; ${name}`, name)).toBeUndefined()
    expect(findCookie(`__Host-${name}=1`, name)).toBeUndefined()
    expect(findCookie(undefined, name)).toBeUndefined()
  })
})

describe('secrets', () => {
  it('are 256 random bits, and a CSRF token of one session is not another’s', () => {
    const [one, other] = [newSecret(''), newSecret('')]
    expect(Buffer.from(one, 'base64url')).toHaveLength(32)
    expect(one).not.toBe(other)
    expect(csrfTokenOf(one)).toBe(csrfTokenOf(one))
    expect(csrfTokenOf(one)).not.toBe(csrfTokenOf(other))
    expect(csrfTokenOf(one)).not.toBe(digestOf(one).toString('base64url'))
  })

  it('are compared whole, whatever their length', () => {
    expect(isSameSecret('abc', 'abc')).toBe(true)
    for (const wrong of ['', 'ab', 'abcd', 'abd']) expect(isSameSecret(wrong, 'abc')).toBe(false)
  })
})

describe('the origin of a request', () => {
  const origins = { own: ['https://pay.example', 'https://desk.example'], isSecure: true }
  const sent = { origin: undefined, site: undefined, host: 'pay.example' }

  it('is not asked of what no browser sent', () => {
    expect(isForeign(origins, sent)).toBe(false)
  })

  it.each(['https://pay.example', 'https://desk.example'])('may be a page of ours: %s', (origin) => {
    expect(isForeign(origins, { ...sent, origin, site: 'same-origin' })).toBe(false)
  })

  it.each([
    'https://evil.example',
    'null',
    '',
    'http://pay.example',
    'https://pay.example:8443',
    'https://pay.example.evil.example',
    'https://evil.example/pay.example',
  ])('is not some other page: "%s"', (origin) => {
    expect(isForeign(origins, { ...sent, origin })).toBe(true)
  })

  it('is the host itself where no address is configured', () => {
    const local = { own: [], isSecure: false }
    const host = '127.0.0.1:3000'
    expect(isForeign(local, { origin: 'http://127.0.0.1:3000', site: undefined, host })).toBe(false)
    expect(isForeign(local, { origin: 'http://127.0.0.1:3001', site: undefined, host })).toBe(true)
    expect(isForeign(local, { origin: 'http://127.0.0.1:3000', site: undefined, host: undefined })).toBe(true)
  })

  it('is foreign when the browser says so, whatever origin it names', () => {
    expect(isForeign(origins, { ...sent, origin: 'https://pay.example', site: 'cross-site' })).toBe(true)
    expect(isForeign(origins, { ...sent, site: 'same-site' })).toBe(true)
    expect(isForeign(origins, { ...sent, site: 'none' })).toBe(false)
  })
})

describe('a role', () => {
  it('covers itself and reading; an admin’s covers all', () => {
    expect(coversRole('admin', 'finance')).toBe(true)
    expect(coversRole('finance', 'finance')).toBe(true)
    expect(coversRole('finance', 'read_only')).toBe(true)
    expect(coversRole('finance', 'support')).toBe(false)
    expect(coversRole('read_only', 'support')).toBe(false)
    expect(coversRole('support', 'admin')).toBe(false)
  })
})
