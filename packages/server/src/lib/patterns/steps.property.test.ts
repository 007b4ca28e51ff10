import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../testing/runs.ts'
import { countSteps } from './steps.ts'
import type { Node } from './syntax.ts'
import { parsePattern } from './syntax.ts'

const LENGTH_MAX = 6
const VISITS_MAX = 50_000

const atom = fc.constantFrom(
  'a',
  'b',
  '.',
  '[ab]',
  '[^a]',
  '(?:a|b)',
  '(?:ab?|a)',
  '(?:a?)',
  '(?:(?:a|a){3})',
)
const many = fc.constantFrom('', '?', '*', '+', '{2,4}', '{5}', '{7}', '{9,}')
const look = fc
  .tuple(fc.constantFrom('(?=', '(?!', '(?<=', '(?<!'), fc.array(fc.tuple(atom, many), { maxLength: 2 }))
  .map(([open, body]) => `${open}${body.flat().join('')})`)
const part = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(atom, many).map((each) => each.join('')) },
  { weight: 2, arbitrary: fc.constantFrom('^', '$', '|') },
  { weight: 1, arbitrary: look },
)
const pattern = fc.array(part, { minLength: 1, maxLength: 7 }).map((parts) => parts.join(''))
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: LENGTH_MAX })

type GoOn = (place: number) => void
type Walk = (node: Node, place: number, goOn: GoOn) => void

/**
 * Backtracks directly over the tree and never succeeds, so it visits every path. Returns how many parts it tried, up to
 * VISITS_MAX.
 */
function countVisits(root: Node, value: string): number {
  let visits = 0

  const walkers: {
    readonly [K in Node['kind']]: (node: Node & { kind: K }, place: number, goOn: GoOn) => void
  } = {
    characters({ source }, place, goOn) {
      if (new RegExp(`^${source}$`, 'u').test(value.charAt(place))) goOn(place + 1)
    },
    assertion({ which }, place, goOn) {
      if (which === 'start' ? place === 0 : place === value.length) goOn(place)
    },
    look({ isAhead, isNegated, body }, place, goOn) {
      if (isSeen(isAhead, body, place) !== isNegated) goOn(place)
    },
    choice({ options }, place, goOn) {
      for (const each of options) walk(each, place, goOn)
    },
    sequence({ items }, place, goOn) {
      const [first, ...others] = items
      if (first === undefined) goOn(place)
      else walk(first, place, (next) => walkers.sequence({ items: others } as never, next, goOn))
    },
    repeat(node, place, goOn) {
      const { body, min, max } = node
      // V8 does the same: a repetition of assertions is the assertions once.
      if (body.lengthMax === 0) {
        if (min === 0) goOn(place)
        else walk(body, place, goOn)
        return
      }
      const again = { ...node, min: Math.max(min - 1, 0), max: max - 1 }
      if (max > 0) {
        walk(body, place, (next) => {
          if (min > 0 || next !== place) walkers.repeat(again, next, goOn)
        })
      }
      if (min === 0) goOn(place)
    },
  }

  const walk: Walk = (node, place, goOn) => {
    if (visits >= VISITS_MAX) return
    if (node.kind === 'characters' || node.kind === 'assertion') visits += 1
    walkers[node.kind](node as never, place, goOn)
  }

  /** Walks a look-behind from each earlier place. A matcher walks it once, backwards, so only the look-ahead counts. */
  function isSeen(isAhead: boolean, body: Node, place: number): boolean {
    let isFound = false
    if (isAhead) {
      walk(body, place, () => {
        isFound = true
      })
      return isFound
    }
    const before = visits
    for (let begin = 0; begin <= place; begin += 1) {
      walk(body, begin, (end) => {
        isFound ||= end === place
      })
    }
    visits = before
    return isFound
  }

  for (let place = 0; place <= value.length; place += 1) walk(root, place, () => {})
  return visits
}

it('no text takes a matcher that backtracks more steps than were counted', () => {
  fc.assert(
    fc.property(pattern, text, (source, value) => {
      const root = parsePattern(source)
      const { steps = Number.POSITIVE_INFINITY } = countSteps(root, { lengthMax: LENGTH_MAX })
      expect(countVisits(root, value), JSON.stringify([source, value])).toBeLessThanOrEqual(steps)
    }),
    { numRuns: runs(2_000) },
  )
})
