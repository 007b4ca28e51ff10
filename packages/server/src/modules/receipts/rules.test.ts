import { describe, expect, it } from 'vitest'
import { isToken, maskAccount, newNumber, newToken } from './rules.ts'

describe('the account on a receipt', () => {
  it.each([
    ['60123456789', '601*****789'],
    ['1234567', '123*567'],
    ['123456', '******'],
    ['', ''],
  ])('%j is shown as %j', (account, shown) => expect(maskAccount(account)).toBe(shown))
})

it('numbers and links are of chance, and have a form that nothing else has', () => {
  const many = Array.from({ length: 200 }, newNumber)
  expect(new Set(many).size).toBe(200)
  for (const number of many) expect(number).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
  expect(isToken(newToken())).toBe(true)
  for (const text of ['', 'x', `${newToken()}=`, '../../../../../../../ab']) expect(isToken(text)).toBe(false)
})
