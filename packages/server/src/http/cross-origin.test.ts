import { describe, expect, it } from 'vitest'
import { isOwnOrigin, listCrossOrigin, preflightHeaders, readableBy } from './cross-origin.ts'
import type { Operation } from './operation.ts'

const request = (headers: Record<string, string>) => ({ headers })

describe('operations for pages of other origins', () => {
  it('are listed by path with their methods, and no others are', () => {
    const operations = [
      { path: '/a', method: 'GET', isCrossOrigin: true },
      { path: '/b', method: 'GET' },
      { path: '/a', method: 'PUT', isCrossOrigin: true },
    ] as unknown as Operation[]
    expect([...listCrossOrigin(operations)]).toEqual([['/a', ['GET', 'PUT']]])
  })

  it('a preflight is answered alike for every origin, without cookies', () => {
    expect(preflightHeaders(['GET', 'PUT'])).toEqual({
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Allow-Methods': 'GET, PUT',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type',
      'Access-Control-Max-Age': '7200',
    })
  })

  it('an answer names one origin, and caches keep origins apart', () => {
    const headers = readableBy('https://shop.example')
    expect(headers).toMatchObject({ 'Access-Control-Allow-Origin': 'https://shop.example', Vary: 'Origin' })
    expect(headers).not.toHaveProperty('Access-Control-Allow-Credentials')
  })
})

describe('our own origin', () => {
  const BASE = 'https://pay.example/base'

  it.each([
    ['no page sent it', {}],
    ['our own address', { origin: 'https://pay.example' }],
    [
      'the browser says so, behind a proxy with another name',
      { origin: 'https://x.example', 'sec-fetch-site': 'same-origin' },
    ],
  ])('is accepted: %s', (_, headers) => {
    expect(isOwnOrigin(request(headers), BASE)).toBe(true)
  })

  it.each([
    ['another host', { origin: 'https://evil.example' }],
    ['another scheme', { origin: 'http://pay.example' }],
    ['another port', { origin: 'https://pay.example:444' }],
    ['a host that begins like ours', { origin: 'https://pay.example.evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['an empty origin', { origin: '' }],
    ['a site beside ours', { origin: 'https://a.pay.example', 'sec-fetch-site': 'same-site' }],
  ])('is not %s', (_, headers) => {
    expect(isOwnOrigin(request(headers), BASE)).toBe(false)
  })
})
