import { createAutomaton } from '../../../lib/patterns/automaton.ts'
import { countSteps } from '../../../lib/patterns/steps.ts'
import type { Node } from '../../../lib/patterns/syntax.ts'
import { parsePattern, sequenceOf, UnsupportedPattern } from '../../../lib/patterns/syntax.ts'

/** Flags under which a pattern is checked and used: the stricter grammar is the one other languages share. */
const PATTERN_FLAGS = 'u'
export const PATTERN_LENGTH_MAX = 200

/** Longer values are refused before a pattern sees them: the bound on its work holds up to here. */
export const PATTERN_INPUT_LENGTH_MAX = 100

/**
 * Most steps that a backtracking matcher may need for a value. Integrators run the same patterns in browsers and
 * servers of their own, whose matchers backtrack: a million steps are about a tenth of a second there.
 */
const STEPS_MAX = 1_000_000

/**
 * Most steps for which the language's own matcher is used here, where every payment waits for every other: a
 * millisecond or two while V8 still interprets the pattern. Beyond it the automaton is used: its time is bounded for
 * every pattern, but it needs several microseconds for a phone number, where the other needs less than one.
 */
const NATIVE_STEPS_MAX = 20_000

/** What is wrong with a field's pattern; undefined when it may be used. */
export function patternTrouble(pattern: string): string | undefined {
  return judgementOf(pattern).trouble()
}

/**
 * Whether a value matches a pattern, in bounded time for whatever was stored: one that would be refused today is
 * matched all the same, only never by a matcher that backtracks. A pattern that cannot be matched so matches nothing:
 * a payment that is refused costs nobody money.
 */
export function matchesPattern(pattern: string, value: string): boolean {
  // Counted in characters, which are never more than UTF-16 units.
  const isLong = value.length > PATTERN_INPUT_LENGTH_MAX && [...value].length > PATTERN_INPUT_LENGTH_MAX
  return !isLong && judgementOf(pattern).matches(value)
}

type Judgement = { trouble(): string | undefined; matches(value: string): boolean }

const judgements = new Map<string, Judgement>()
/** An automaton of the largest size takes some 300 kB. */
const JUDGEMENTS_MAX = 1_000

/** Judging and compiling cost more than everything else about a payment; a catalogue has few patterns. */
function judgementOf(pattern: string): Judgement {
  const known = judgements.get(pattern)
  if (known !== undefined) return known
  if (judgements.size >= JUDGEMENTS_MAX) judgements.clear()
  const fresh = judge(pattern)
  judgements.set(pattern, fresh)
  return fresh
}

const LIMITS = { lengthMax: PATTERN_INPUT_LENGTH_MAX, stepsMax: STEPS_MAX } as const

function judge(pattern: string): Judgement {
  if (pattern === '' || pattern.length > PATTERN_LENGTH_MAX) {
    return matchingNothing(`must be 1 to ${PATTERN_LENGTH_MAX} characters long`)
  }
  const native = compiled(pattern)
  if (native === undefined) return matchingNothing('is not a regular expression')
  try {
    const root = parsePattern(pattern)
    const { steps } = countSteps(root, LIMITS)
    if (steps !== undefined && steps <= NATIVE_STEPS_MAX) {
      return { trouble: () => undefined, matches: (value) => native.test(value) }
    }
    return {
      trouble: steps !== undefined && steps <= STEPS_MAX ? () => undefined : troubleOf(pattern, root, steps),
      matches: createAutomaton(root, PATTERN_INPUT_LENGTH_MAX),
    }
  } catch (error) {
    if (error instanceof UnsupportedPattern) return matchingNothing(error.message)
    throw error
  }
}

/** Described when somebody asks, and once: finding the part takes far longer than judging. */
function troubleOf(pattern: string, root: Node, steps: number | undefined): () => string {
  if (steps === undefined) return () => 'is too large'
  let described: string | undefined
  return () => {
    described ??= describeCost(pattern, root)
    return described
  }
}

function matchingNothing(trouble: string): Judgement {
  return { trouble: () => trouble, matches: () => false }
}

function compiled(pattern: string): RegExp | undefined {
  try {
    return new RegExp(pattern, PATTERN_FLAGS)
  } catch {
    return undefined
  }
}

// ── Which part costs too much ──

/** In the unit of `countSteps`: the search ends here, with a part that is perhaps not the smallest. */
const SEARCH_WORK_MAX = 60_000

function describeCost(pattern: string, root: Node): string {
  const isDear = createSearch()
  if (!isDear(root)) return 'could take too long, since it may begin anywhere: put ^ at its start'
  const { from, to } = dearestPart(root, isDear)
  return `could take too long: ${pattern.slice(from, to)} can match the same text in too many ways`
}

type IsDear = (node: Node) => boolean

/** Judges parts by themselves, and begun at one place only, for as long as there is work left to spend. */
function createSearch(): IsDear {
  let workLeft = SEARCH_WORK_MAX
  return (node) => {
    if (isLeaf(node) || (node.kind === 'repeat' && isLeaf(node.body))) return false
    const { from, to } = node
    const start: Node = { kind: 'assertion', which: 'start', from, to: from, lengthMin: 0, lengthMax: 0 }
    const part = sequenceOf([start, node], from, to)
    const { steps, work } = countSteps(part, { ...LIMITS, workMax: workLeft })
    workLeft -= work
    return steps !== undefined && steps > STEPS_MAX
  }
}

function isLeaf({ kind }: Node): boolean {
  return kind === 'characters' || kind === 'assertion'
}

/** A small part of the pattern that is too much by itself. */
function dearestPart(node: Node, isDear: IsDear): Node {
  const part = childrenOf(node).find(isDear)
  if (part !== undefined) return dearestPart(part, isDear)
  if (node.kind !== 'sequence') return node
  let { items } = node
  const trim = (shorter: readonly Node[]) => {
    const isEnough = shorter.length > 0 && isDear(sequenceOf(shorter, 0, 0))
    if (isEnough) items = shorter
    return isEnough
  }
  while (trim(items.slice(1)));
  while (trim(items.slice(0, -1)));
  return sequenceOf(items, items[0]?.from ?? node.from, items.at(-1)?.to ?? node.to)
}

function childrenOf(node: Node): readonly Node[] {
  switch (node.kind) {
    case 'sequence':
      return node.items
    case 'choice':
      return node.options
    // The repetition itself is what costs, unless its body already does.
    case 'repeat':
    case 'look':
      return [node.body]
    case 'characters':
    case 'assertion':
      return []
  }
}
