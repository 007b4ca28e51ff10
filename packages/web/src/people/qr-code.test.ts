import { describe, expect, it } from 'vitest'
import { QrCode } from './qr-code.tsx'

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

/** Dark and light modules of a drawn code, inside its four light ones on each side. */
function drawn(value: string): string[] {
  const { viewBox, children } = QrCode({ value, label: 'code' }).props
  const size = Number(/^0 0 (\d+) \1$/.exec(viewBox)?.[1])
  const path: string = children[1].props.d
  const dark = new Set([...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`))
  const inside = Array.from({ length: size - 8 }, (_, index) => index + 4)
  const lines = inside.map((y) => inside.map((x) => (dark.delete(`${x} ${y}`) ? '#' : '.')).join(''))
  expect(dark.size, 'dark modules in the light border').toBe(0)
  return lines
}

/** FNV-1a of all modules. */
function fingerprint(lines: readonly string[]): string {
  let hash = 0x811c9dc5
  for (const module of lines.join('')) hash = Math.imul(hash ^ (module === '#' ? 1 : 0), 0x01000193) >>> 0
  return hash.toString(16)
}

describe('a drawn QR code', () => {
  it('is module by module the one that another encoder makes', () => {
    expect(drawn('Warung')).toEqual(WARUNG)
  })

  it('holds the address of an authenticator as another encoder writes it', () => {
    const lines = drawn(ADDRESS)
    expect(lines).toHaveLength(41)
    expect(fingerprint(lines)).toBe('36705ff4')
  })
})
