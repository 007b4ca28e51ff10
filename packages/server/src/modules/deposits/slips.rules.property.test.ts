import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../testing/runs.ts'
import { readSlip, SLIP_BYTES_MAX, slipKindOf } from './slips.rules.ts'

const WHOLE = {
  png: Buffer.from(
    '89504e470d0a1a0a0000000d49484452000000010000000108020000009077' +
      '53de0000000c4944415408d763f8cfc0000003010100c9fe92ef0000000049454e44ae426082',
    'hex',
  ),
  jpeg: Buffer.from(
    'ffd8ffe000104a46494600010100000100010000ffc0000b080001000101011100ffda0008010100003f007fa0ffd9',
    'hex',
  ),
  pdf: Buffer.from('%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\nstartxref\n9\n%%EOF\n', 'latin1'),
  webp: Buffer.from('5249464616000000574542505650384c0a0000002f00000000070000fe03', 'hex'),
} as const

const kinds = Object.entries(WHOLE)

describe('the kind of a slip', () => {
  it.each(kinds)('is read from the content: %s', (kind, bytes) => {
    expect(slipKindOf(bytes)).toBe(kind)
    expect(readSlip(bytes.toString('base64'))).toEqual({ kind, bytes })
  })

  it.each(kinds)('is not given to a part of a file: %s', (_, bytes) => {
    for (let length = 0; length < bytes.length - 2; length += 1) {
      expect(slipKindOf(bytes.subarray(0, length))).toBeUndefined()
    }
  })

  it('is judged for any bytes without an error', () => {
    const head = fc.constantFrom(...kinds.map(([, bytes]) => bytes))
    fc.assert(
      fc.property(head, fc.nat(60), fc.uint8Array({ maxLength: 80 }), (bytes, at, noise) => {
        const broken = Buffer.concat([bytes.subarray(0, at), noise, bytes.subarray(at + noise.length)])
        expect(['jpeg', 'pdf', 'png', 'webp', undefined]).toContain(slipKindOf(broken))
      }),
      { numRuns: runs(2_000) },
    )
  })

  it.each([
    ['a picture without a size', Buffer.from(WHOLE.png).fill(0, 16, 20)],
    ['a picture of a size that nobody prints', Buffer.from(WHOLE.png).fill(0x7f, 16, 20)],
    ['data after the end of a picture', Buffer.concat([WHOLE.png, Buffer.from('x')])],
    ['a length that is not the file’s', Buffer.concat([WHOLE.webp, Buffer.from('x')])],
    ['a document with a script', Buffer.from(WHOLE.pdf.toString('latin1').replace('/Type', '/JavaScript'))],
  ])('is none for %s', (_, bytes) => {
    expect(slipKindOf(bytes)).toBeUndefined()
  })

  it('a file that is too large, empty or not base64 is refused', () => {
    const large = Buffer.concat([WHOLE.jpeg, Buffer.alloc(SLIP_BYTES_MAX)])
    for (const text of [large.toString('base64'), '', 'x', '%%%%', 'AAA']) {
      expect(() => readSlip(text)).toThrow(expect.objectContaining({ status: 400 }))
    }
  })
})
