import { describe, expect, it } from 'vitest'
import type { QrMatrix } from './qr.ts'
import { qrMatrix } from './qr.ts'

// Expected codes were made by another encoder with the same mask, and read back by a decoder.

const WARUNG = [
  '#######.#.....#######',
  '#.....#.##.#..#.....#',
  '#.###.#..#.#..#.###.#',
  '#.###.#.#.#.#.#.###.#',
  '#.###.#...#...#.###.#',
  '#.....#..#....#.....#',
  '#######.#.#.#.#######',
  '........###..........',
  '#.##.###......#..#.##',
  '..#.#...##..#..#..#.#',
  '###.#.#..#..#####..##',
  '.....#..##..##...#..#',
  '#.##..#..#.#.#..##.#.',
  '........#.#..#...#.##',
  '#######.#....##.#.#..',
  '#.....#.#..####.###.#',
  '#.###.#...##..##..###',
  '#.###.#.#....#...#.#.',
  '#.###.#.#..#.#...##..',
  '#.....#..#.##.#.#...#',
  '#######.##.##..#..#..',
]

const ADDRESS =
  'otpauth://totp/Warung:kedai-maju?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Warung&digits=6&period=30'

/** FNV-1a of all modules. */
function fingerprint(matrix: QrMatrix): string {
  let hash = 0x811c9dc5
  for (const line of matrix) {
    for (const isDark of line) hash = Math.imul(hash ^ (isDark ? 1 : 0), 0x01000193) >>> 0
  }
  return hash.toString(16)
}

describe('QR code', () => {
  it('is module by module the one that another encoder makes', () => {
    expect(qrMatrix('Warung').map((line) => line.map((dark) => (dark ? '#' : '.')).join(''))).toEqual(WARUNG)
  })

  it.each([
    ['an address of an authenticator', ADDRESS, 41, '36705ff4'],
    ['letters beyond ASCII', 'Kedai é€ '.repeat(20), 61, '40962714'],
    ['two thousand letters', 'x'.repeat(2_000), 169, '75ff7809'],
  ])('encodes %s as another encoder does', (_, text, size, expected) => {
    const matrix = qrMatrix(text)
    expect(matrix.length).toBe(size)
    expect(fingerprint(matrix)).toBe(expected)
  })

  it('refuses a text that is too long', () => {
    expect(() => qrMatrix('x'.repeat(2_400))).toThrow(RangeError)
  })
})
