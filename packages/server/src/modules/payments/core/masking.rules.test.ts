import { expect, it } from 'vitest'
import { maskLink, maskSecret } from './masking.rules.ts'

it.each([
  ['', ''],
  ['1', '****'],
  ['12345678901', '****'],
  ['123456789012', '****9012'],
  ['1234567890123456', '****3456'],
])('the secret %j is shown as %j', (secret, shown) => {
  expect(maskSecret(secret)).toBe(shown)
})

it.each([
  ['', ''],
  ['https://vouchers.example.com/abcdef?code=secret#secret', 'https://vouchers.example.com/****'],
  ['https://user:secret@vouchers.example.com/abcdef', 'https://vouchers.example.com/****'],
  ['LPA:1$example.com$SECRET', '****'],
  ['not a link', '****'],
])('the link %j is shown as %j', (link, shown) => {
  expect(maskLink(link)).toBe(shown)
})
