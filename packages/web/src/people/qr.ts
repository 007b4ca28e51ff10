// QR codes of ISO/IEC 18004: bytes, error correction level M, versions 1 to 40. An address for an authenticator app is
// all that is drawn, so that a library would bring more than is used.

/** Dark and light modules of a code, row by row. */
export type QrMatrix = readonly (readonly boolean[])[]

const ECC_PER_BLOCK = [
  10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28,
  28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
] as const
const BLOCKS = [
  1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29,
  31, 33, 35, 37, 38, 40, 43, 45, 47, 49,
] as const
const VERSION_MAX = 40

/** Returns the code of a text; its shortest version, and the mask that readers like best. */
export function qrMatrix(text: string): QrMatrix {
  const bytes = new TextEncoder().encode(text)
  const version = versionFor(bytes.length)
  const words = withErrorCorrection(dataWords(bytes, version), version)
  const drawn = MASKS.map((_, mask) => draw(version, words, mask))
  const penalties = drawn.map(penaltyOf)
  return drawn[penalties.indexOf(Math.min(...penalties))] ?? []
}

// ── Data ──

function versionFor(length: number): number {
  for (let version = 1; version <= VERSION_MAX; version += 1) {
    if (4 + countBits(version) + 8 * length <= 8 * dataWordsOf(version)) return version
  }
  throw new RangeError('the text is too long for a QR code')
}

function countBits(version: number): number {
  return version < 10 ? 8 : 16
}

/** Number of modules that carry data, after all patterns. */
function rawModules(version: number): number {
  let modules = (16 * version + 128) * version + 64
  if (version >= 2) {
    const marks = Math.floor(version / 7) + 2
    modules -= (25 * marks - 10) * marks - 55
    if (version >= 7) modules -= 36
  }
  return modules
}

function dataWordsOf(version: number): number {
  return Math.floor(rawModules(version) / 8) - at(ECC_PER_BLOCK, version - 1) * at(BLOCKS, version - 1)
}

function dataWords(bytes: Uint8Array, version: number): number[] {
  const size = dataWordsOf(version)
  const bits: number[] = []
  const push = (value: number, length: number) => {
    for (let bit = length - 1; bit >= 0; bit -= 1) bits.push((value >>> bit) & 1)
  }
  push(0b0100, 4)
  push(bytes.length, countBits(version))
  for (const byte of bytes) push(byte, 8)
  push(0, Math.min(4, 8 * size - bits.length))
  push(0, (8 - (bits.length % 8)) % 8)
  const words: number[] = []
  for (let start = 0; start < bits.length; start += 8) {
    words.push(Number.parseInt(bits.slice(start, start + 8).join(''), 2))
  }
  for (let filler = 0xec; words.length < size; filler ^= 0xec ^ 0x11) words.push(filler)
  return words
}

// ── Error correction: Reed-Solomon over GF(256) ──

function withErrorCorrection(data: readonly number[], version: number): number[] {
  const blockCount = at(BLOCKS, version - 1)
  const eccLength = at(ECC_PER_BLOCK, version - 1)
  const total = Math.floor(rawModules(version) / 8)
  const shortCount = blockCount - (total % blockCount)
  const shortLength = Math.floor(total / blockCount) - eccLength
  const divisor = generator(eccLength)
  const blocks: { data: readonly number[]; ecc: readonly number[] }[] = []
  for (let index = 0, start = 0; index < blockCount; index += 1) {
    const length = shortLength + (index < shortCount ? 0 : 1)
    const part = data.slice(start, start + length)
    blocks.push({ data: part, ecc: remainder(part, divisor) })
    start += length
  }
  return [
    ...interleaved(
      blocks.map((each) => each.data),
      shortLength + 1,
    ),
    ...interleaved(
      blocks.map((each) => each.ecc),
      eccLength,
    ),
  ]
}

function interleaved(blocks: readonly (readonly number[])[], length: number): number[] {
  const words: number[] = []
  for (let index = 0; index < length; index += 1) {
    for (const block of blocks) {
      const word = block[index]
      if (word !== undefined) words.push(word)
    }
  }
  return words
}

function multiply(a: number, b: number): number {
  let product = 0
  for (let bit = 7; bit >= 0; bit -= 1) {
    product = (product << 1) ^ ((product >>> 7) * 0x11d)
    product ^= ((b >>> bit) & 1) * a
  }
  return product
}

/** Coefficients of the generator polynomial, highest first, without the leading 1. */
function generator(degree: number): number[] {
  const result = [...Array.from({ length: degree - 1 }, () => 0), 1]
  let root = 1
  for (let round = 0; round < degree; round += 1) {
    for (let index = 0; index < degree; index += 1) {
      result[index] = multiply(at(result, index), root) ^ (result[index + 1] ?? 0)
    }
    root = multiply(root, 2)
  }
  return result
}

function remainder(data: readonly number[], divisor: readonly number[]): number[] {
  const rest = divisor.map(() => 0)
  for (const word of data) {
    const factor = word ^ at(rest, 0)
    rest.shift()
    rest.push(0)
    for (const [index, coefficient] of divisor.entries()) {
      rest[index] = at(rest, index) ^ multiply(coefficient, factor)
    }
  }
  return rest
}

// ── Drawing ──

const MASKS: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

type Canvas = {
  readonly size: number
  readonly isDark: boolean[][]
  /** Modules of patterns, which carry no data. */
  readonly isFixed: boolean[][]
}

function draw(version: number, words: readonly number[], mask: number): boolean[][] {
  const size = 4 * version + 17
  const field = () => Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  const canvas: Canvas = { size, isDark: field(), isFixed: field() }
  drawTiming(canvas)
  drawFinders(canvas)
  drawAlignment(canvas, version)
  drawFormat(canvas, mask)
  if (version >= 7) drawVersion(canvas, version)
  drawWords(canvas, words, MASKS[mask] ?? (() => false))
  return canvas.isDark
}

function fix({ size, isDark, isFixed }: Canvas, x: number, y: number, dark: boolean): void {
  if (x < 0 || y < 0 || x >= size || y >= size) return
  row(isDark, y)[x] = dark
  row(isFixed, y)[x] = true
}

function drawTiming(canvas: Canvas): void {
  for (let index = 0; index < canvas.size; index += 1) {
    fix(canvas, 6, index, index % 2 === 0)
    fix(canvas, index, 6, index % 2 === 0)
  }
}

function drawFinders(canvas: Canvas): void {
  const far = canvas.size - 4
  for (const [x, y] of [
    [3, 3],
    [far, 3],
    [3, far],
  ] as const) {
    for (let dy = -4; dy <= 4; dy += 1) {
      for (let dx = -4; dx <= 4; dx += 1) {
        const distance = Math.max(Math.abs(dx), Math.abs(dy))
        fix(canvas, x + dx, y + dy, distance !== 2 && distance !== 4)
      }
    }
  }
}

function drawAlignment(canvas: Canvas, version: number): void {
  const places = alignmentPlaces(version, canvas.size)
  const last = places.length - 1
  for (const [i, x] of places.entries()) {
    for (const [j, y] of places.entries()) {
      if ((i === 0 && j === 0) || (i === 0 && j === last) || (i === last && j === 0)) continue
      for (let dy = -2; dy <= 2; dy += 1) {
        for (let dx = -2; dx <= 2; dx += 1) {
          fix(canvas, x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1)
        }
      }
    }
  }
}

function alignmentPlaces(version: number, size: number): number[] {
  if (version === 1) return []
  const count = Math.floor(version / 7) + 2
  const step = Math.floor((version * 8 + count * 3 + 5) / (count * 4 - 4)) * 2
  const places = [6]
  for (let index = count - 2; index >= 0; index -= 1) places.push(size - 7 - index * step)
  return places
}

/** Level M and the mask, twice, with their own error correction. */
function drawFormat(canvas: Canvas, mask: number): void {
  const { size } = canvas
  const bits = ((mask << 10) | bchRemainder(mask, 10, 0x537)) ^ 0x5412
  const dark = (index: number) => ((bits >>> index) & 1) === 1
  for (let index = 0; index <= 5; index += 1) fix(canvas, 8, index, dark(index))
  fix(canvas, 8, 7, dark(6))
  fix(canvas, 8, 8, dark(7))
  fix(canvas, 7, 8, dark(8))
  for (let index = 9; index < 15; index += 1) fix(canvas, 14 - index, 8, dark(index))
  for (let index = 0; index < 8; index += 1) fix(canvas, size - 1 - index, 8, dark(index))
  for (let index = 8; index < 15; index += 1) fix(canvas, 8, size - 15 + index, dark(index))
  fix(canvas, 8, size - 8, true)
}

function drawVersion(canvas: Canvas, version: number): void {
  const bits = (version << 12) | bchRemainder(version, 12, 0x1f25)
  for (let index = 0; index < 18; index += 1) {
    const dark = ((bits >>> index) & 1) === 1
    const a = canvas.size - 11 + (index % 3)
    const b = Math.floor(index / 3)
    fix(canvas, a, b, dark)
    fix(canvas, b, a, dark)
  }
}

function bchRemainder(value: number, length: number, divisor: number): number {
  let rest = value
  for (let round = 0; round < length; round += 1) rest = (rest << 1) ^ ((rest >>> (length - 1)) * divisor)
  return rest
}

/** Draws the data in columns of two, upwards and downwards by turns, from the right end. */
function drawWords(
  { size, isDark, isFixed }: Canvas,
  words: readonly number[],
  isMasked: (x: number, y: number) => boolean,
): void {
  let bit = 0
  for (const right of dataColumns(size)) {
    const isUpward = ((right + 1) & 2) === 0
    for (let step = 0; step < size; step += 1) {
      const y = isUpward ? size - 1 - step : step
      for (const x of [right, right - 1]) {
        if (row(isFixed, y)[x]) continue
        const word = words[bit >>> 3] ?? 0
        const dark = ((word >>> (7 - (bit & 7))) & 1) === 1
        row(isDark, y)[x] = dark !== isMasked(x, y)
        bit += 1
      }
    }
  }
}

function dataColumns(size: number): number[] {
  const columns: number[] = []
  for (let right = size - 1; right >= 1; right -= 2) {
    if (right === 6) right = 5
    columns.push(right)
  }
  return columns
}

// ── Choice of the mask ──

/** Counts what confuses readers: long runs, blocks, patterns like a finder, and too much of one colour. */
function penaltyOf(matrix: QrMatrix): number {
  const columns = matrix.map((_, x) => matrix.map((line) => line[x] === true))
  let penalty = 0
  for (const line of [...matrix, ...columns]) penalty += runPenalty(line) + finderPenalty(line)
  let dark = 0
  for (const [y, line] of matrix.entries()) {
    for (const [x, isDark] of line.entries()) {
      if (isDark) dark += 1
      const below = matrix[y + 1]
      if (below === undefined || x + 1 >= line.length) continue
      if (isDark === line[x + 1] && isDark === below[x] && isDark === below[x + 1]) penalty += 3
    }
  }
  const total = matrix.length * matrix.length
  return penalty + 10 * (Math.ceil(Math.abs(dark * 20 - total * 10) / total) - 1)
}

function runPenalty(line: readonly boolean[]): number {
  let penalty = 0
  let length = 0
  for (const [index, isDark] of line.entries()) {
    length = index > 0 && isDark === line[index - 1] ? length + 1 : 1
    if (length === 5) penalty += 3
    else if (length > 5) penalty += 1
  }
  return penalty
}

const FINDER_LIKE = ['10111010000', '00001011101']

function finderPenalty(line: readonly boolean[]): number {
  const text = line.map((isDark) => (isDark ? '1' : '0')).join('')
  let penalty = 0
  for (let start = 0; start + 11 <= text.length; start += 1) {
    if (FINDER_LIKE.includes(text.slice(start, start + 11))) penalty += 40
  }
  return penalty
}

function at(values: readonly number[], index: number): number {
  return values[index] ?? 0
}

function row(field: boolean[][], y: number): boolean[] {
  return field[y] ?? []
}
