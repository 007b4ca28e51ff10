import { describe, expect, it } from 'vitest'
import { distinctAddresses, isMailAddress, MAIL_ADDRESS, oneLine, parseSender } from './mail-addresses.ts'

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
    `${'a'.repeat(65)}@example.com`,
    'a@b..com',
    'a@-b.com',
    '[a]@example.com',
  ])('%j is none, nor in a field', (text) => {
    expect(isMailAddress(text)).toBe(false)
    expect(MAIL_ADDRESS.read(text.trim() === text ? text : `${text}x y`)).toBeUndefined()
  })

  it('counts once, whatever its letter case', () => {
    expect(distinctAddresses(['A@example.com', 'b@example.com', 'a@EXAMPLE.com', 'none'])).toEqual([
      'A@example.com',
      'b@example.com',
    ])
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
