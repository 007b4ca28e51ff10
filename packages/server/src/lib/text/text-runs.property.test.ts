import fc from 'fast-check'
import { expect, it } from 'vitest'
import { listClusters, splitRuns, toOneLine } from './text-runs.ts'
import { listTypefaces } from './typefaces.ts'

// Words of all kinds close together: letters, marks, digits, brackets, signs, joiners and direction marks.
const WORDS = [
  'Kedai',
  'é',
  'x\u0302',
  ' ',
  '(',
  ')',
  '≤',
  '∟',
  '12,3',
  '明珠',
  '「」',
  'தமிழ்',
  'हिन्दी',
  'ไข่มุก',
  'كدي',
  'ڤ',
  '،',
  '١٢',
  '۱۲',
  '\u200f',
  '\u200d',
  '\u202e',
  '𠮷',
  '😀',
]
const line = fc
  .array(fc.oneof(fc.constantFrom(...WORDS), fc.string({ unit: 'grapheme', maxLength: 3 })), {
    maxLength: 12,
  })
  .map((words) => words.join(''))

const INVISIBLE = /\p{Default_Ignorable_Code_Point}/gu

it('every visible cluster of a line is in its runs once, as itself, its mirror image or a box', async () => {
  const typefaces = await listTypefaces()
  const visibleClusters = (text: string) =>
    listClusters(text)
      .map((cluster) => cluster.replace(INVISIBLE, ''))
      .filter((cluster) => cluster !== '')
  fc.assert(
    fc.property(line, (text) => {
      const tidy = toOneLine(text)
      const drawn = splitRuns(tidy, typefaces).flatMap((run) => visibleClusters(run.text))
      expect(drawn).toHaveLength(visibleClusters(tidy).length)
    }),
  )
})

it('a run is covered by its typeface, and the standard fonts get Latin alone', async () => {
  const typefaces = await listTypefaces()
  fc.assert(
    fc.property(line, (text) => {
      for (const run of splitRuns(toOneLine(text), typefaces)) {
        const covers = typefaces.find(({ name }) => name === run.typeface)?.covers
        for (const character of run.text.replace(INVISIBLE, '')) {
          const codePoint = character.codePointAt(0) ?? 0
          expect(
            covers === undefined
              ? codePoint < 0x100 || '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'.includes(character)
              : covers(codePoint),
          ).toBe(true)
        }
      }
    }),
  )
})
