import { describe, expect, it } from 'vitest'
import { readCode } from './codes.ts'

const NOTHING = { billerCode: undefined, billerName: undefined, ref2: undefined, amount: undefined }

/** Writes a merchant's QR with its checksum, worked out by the table-free method of the standard's annex. */
function merchantQr(tags: readonly (readonly [string, string])[]): string {
  const body = tags.map(([tag, value]) => `${tag}${String(value.length).padStart(2, '0')}${value}`).join('')
  const text = `${body}6304`
  let crc = 0xffff
  for (let at = 0; at < text.length; at += 1) {
    let x = ((crc >> 8) ^ text.charCodeAt(at)) & 0xff
    x ^= x >> 4
    crc = ((crc << 8) ^ (x << 12) ^ (x << 5) ^ x) & 0xffff
  }
  return text + crc.toString(16).toUpperCase().padStart(4, '0')
}

const QR = [
  ['00', '01'],
  ['01', '12'],
  ['54', '84.50'],
  ['59', 'Air Amanah'],
] as const

describe('the code on a bill', () => {
  it.each<[string, object]>([
    [
      'JomPAY\nBiller Code: 5454\nRef-1: 100200300\nRef-2: 77\nAmount: RM 1,084.50',
      { billerCode: '5454', account: '100200300', ref2: '77', amount: '1084.50' },
    ],
    ['Biller Code 5454 Ref 1 100200300', { billerCode: '5454', account: '100200300' }],
    [
      'jompay://pay?billerCode=5454&Ref-1=100200300&amount=84.5',
      { billerCode: '5454', account: '100200300', amount: '84.5' },
    ],
    ['5454|100200300|84.50', { billerCode: '5454', account: '100200300', amount: '84.50' }],
    ['5454;100200300', { billerCode: '5454', account: '100200300' }],
    [
      merchantQr([...QR, ['62', '0109100200300']]),
      { billerName: 'Air Amanah', account: '100200300', amount: '84.50' },
    ],
  ])('%j is a bill', (text, bill) => {
    expect(readCode(text)).toEqual({ ...NOTHING, kind: 'bill', ...bill })
  })

  it.each(['100200300', '60123456789', 'ABC-1234'])('%j is a number or a word alone', (text) => {
    expect(readCode(` ${text} `)).toEqual({ kind: 'text', text })
  })

  it('a merchant’s QR counts only with its checksum and whole tags', () => {
    const whole = merchantQr([...QR, ['62', '0109100200300']])
    expect(readCode(whole.replace('84.50', '94.50'))).toBeUndefined()
    expect(readCode(whole.slice(0, -4))).toBeUndefined()
  })

  it.each([
    '',
    '   ',
    'https://shop.example/?amount=10',
    'javascript:alert(1)//?billercode=1',
    '<script>1</script>',
    'Biller Code: 5454',
    'x'.repeat(1_001),
  ])('%j is nothing that is sold', (text) => expect(readCode(text)).toBeUndefined())

  it('an amount that is no plain one is left out, and the rest stands', () => {
    expect(readCode('jompay://pay?billercode=5454&ref1=100200300&amount=-5')).toMatchObject({
      account: '100200300',
      amount: undefined,
    })
  })
})
