import { describe, expect, it } from 'vitest'
import { isMailAddress, oneLine, parseSender } from './mail-addresses.ts'

describe('an address', () => {
  it.each(['a@b', 'siti.nur+shop@example.com', "o'neil@example.com"])('%s is one', (text) => {
    expect(isMailAddress(text)).toBe(true)
  })

  it.each([
    '',
    'siti',
    '@example.com',
    'siti@',
    'a@b@c',
    'a b@example.com',
    'a@example.com,b@example.com',
    '<a@example.com>',
    'a@example.com\r\nBcc: b@example.com',
    'a@example.com\n',
    'a\u0000@example.com',
    `${'a'.repeat(250)}@example.com`,
  ])('%j is none', (text) => {
    expect(isMailAddress(text)).toBe(false)
  })
})

describe('a sender', () => {
  it.each([
    ['mail@example.com', '', 'mail@example.com'],
    ['Warung <mail@example.com>', 'Warung', 'mail@example.com'],
    ['Kedai Pos, Klang <mail@example.com>', 'Kedai Pos, Klang', 'mail@example.com'],
  ])('%s is one', (text, name, address) => {
    expect(parseSender(text)).toEqual({ name, address })
  })

  it.each([
    '',
    'Warung',
    'Warung <>',
    'Warung <mail>',
    'A\r\nBcc: b@c.d <mail@example.com>',
    'a@b.c <d@e.f> x',
  ])('%j is none', (text) => {
    expect(parseSender(text)).toBeUndefined()
  })
})

it('one line has no break, nothing unprintable, and an end', () => {
  expect(oneLine(' a\r\nb\u2028c\td\u0000 ', 20)).toBe('a b c d')
  expect(oneLine('abcdef', 4)).toBe('abc…')
  expect(oneLine('😀😀', 2)).toBe('😀😀')
})
