import { describe, expect, it } from 'vitest'
import { isOrderCode, readClaim } from './token.rules.ts'

const CODE = 'ord_0123456789abcdefghjkmnpq'
const TOKEN = `ct_${'A'.repeat(43)}`

describe('the claim of a customer', () => {
  it.each(['Bearer', 'bearer', 'BEARER'])('is read from the order and a token behind %s', (word) => {
    expect(readClaim(CODE, `${word} ${TOKEN}`)).toEqual({ code: CODE, token: TOKEN })
  })

  it.each([
    ['no header', CODE, undefined],
    ['several headers', CODE, [`Bearer ${TOKEN}`]],
    ['no word before it', CODE, TOKEN],
    ['another kind', CODE, `Basic ${TOKEN}`],
    ['a token of ours of another kind', CODE, 'Bearer eyJhbGciOiJFUzI1NiJ9.e30.c2ln'],
    ['more behind it', CODE, `Bearer ${TOKEN} x`],
    ['a token that is too long', CODE, `Bearer ct_${'A'.repeat(300)}`],
    ['no order', undefined, `Bearer ${TOKEN}`],
    [
      'an order with a character that the database does not take',
      `${CODE.slice(0, -1)}\0`,
      `Bearer ${TOKEN}`,
    ],
    ['an order in another letter case', CODE.toUpperCase(), `Bearer ${TOKEN}`],
  ])('is none with %s', (_, code, header) => {
    expect(readClaim(code, header)).toBeUndefined()
  })

  it('an order id has a prefix and 24 letters that are not mistaken for each other', () => {
    expect(isOrderCode(CODE)).toBe(true)
    for (const text of ['', 'ord_', `${CODE}0`, `x${CODE}`, `${CODE}\n`, CODE.replace('q', 'i')]) {
      expect(isOrderCode(text), text).toBe(false)
    }
  })
})
