import { describe, expect, it } from 'vitest'
import { NEW_PIN } from './rules.ts'

describe('a PIN', () => {
  it.each(['482913', '007351', '904417'])('%s is taken', (pin) => {
    expect(NEW_PIN.read(pin)).toBe(pin)
  })

  it.each([
    '000000',
    '123456',
    '987654',
    '890123',
    '246802',
    '112211',
    '121212',
    '472472',
    '12345',
    '1234567',
    '48291a',
    '٤٨٢٩١٣',
  ])('%s is refused: it is too short, no number, or among the first that a thief tries', (pin) => {
    expect(NEW_PIN.read(pin)).toBeUndefined()
  })
})
