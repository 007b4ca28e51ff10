import { createAutomaton } from '../../../lib/patterns/automaton.ts'
import { countSteps } from '../../../lib/patterns/steps.ts'
import type { Node } from '../../../lib/patterns/syntax.ts'
import { parsePattern, sequenceOf, UnsupportedPattern } from '../../../lib/patterns/syntax.ts'

/** Flags for checking and using a pattern: `u` is the stricter grammar, which other languages share. */
const PATTERN_FLAGS = 'u'
export const PATTERN_LENGTH_MAX = 200

/**
 * Limit of a value's length; the bound on a pattern's work holds only up to it, so longer values are refused
 * first.
 */
export const PATTERN_INPUT_LENGTH_MAX = 100

/**
 * Limit of the steps that a backtracking matcher may need for a value. Integrators run the same patterns in
 * their own browsers and servers, whose matchers backtrack: a million steps take about a tenth of a second
 * there.
 */
const STEPS_MAX = 1_000_000

/** Describes what is wrong with a field's pattern; undefined when it may be used. */
export function patternTrouble(pattern: string): string | undefined {
  return judgementOf(pattern).trouble()
}

/**
 * Tells whether a value matches a pattern, in bounded time for any stored pattern, even one that would be
 * refused today: nothing here backtracks. A pattern that cannot be matched in this way matches nothing: a
 * refused payment costs nobody money.
 */
export function matchesPattern(pattern: string, value: string): boolean {
  return judgementOf(pattern).matches(value)
}

type Judgement = { trouble(): string | undefined; matches(value: string): boolean }

const judgements = new Map<string, Judgement>()
/** Limit of cached judgements; the largest automaton takes about 500 kB. */
const JUDGEMENTS_MAX = 1_000

/**
 * Caches judgements: judging and compiling cost more than the rest of a payment, and a catalogue has few
 * patterns.
 */
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
  if (!isCompilable(pattern)) return matchingNothing('is not a regular expression')
  try {
    const root = parsePattern(pattern)
    return { trouble: troubleOf(pattern, root), matches: createAutomaton(root, PATTERN_INPUT_LENGTH_MAX) }
  } catch (error) {
    if (error instanceof UnsupportedPattern) return matchingNothing(error.message)
    throw error
  }
}

/** Describes the trouble on demand, and once: counting the steps takes longer than many matches. */
function troubleOf(pattern: string, root: Node): () => string | undefined {
  let known: { readonly trouble: string | undefined } | undefined
  return () => {
    known ??= { trouble: describeTrouble(pattern, root) }
    return known.trouble
  }
}

function describeTrouble(pattern: string, root: Node): string | undefined {
  const { steps } = countSteps(root, LIMITS)
  if (steps === undefined) return 'is too large'
  return steps > STEPS_MAX ? describeCost(pattern, root) : undefined
}

function matchingNothing(trouble: string): Judgement {
  return { trouble: () => trouble, matches: () => false }
}

function isCompilable(pattern: string): boolean {
  try {
    return new RegExp(pattern, PATTERN_FLAGS) instanceof RegExp
  } catch {
    return false
  }
}

// ── The costly part ──

/** Limit of the search, in the unit of `countSteps`; a search that reaches it may not find the smallest part. */
const SEARCH_WORK_MAX = 60_000

function describeCost(pattern: string, root: Node): string {
  const isDear = createSearch()
  if (!isDear(root)) return 'could take too long, since it may begin anywhere: put ^ at its start'
  const { from, to } = smallestCostlyPart(root, isDear)
  return `could take too long: ${pattern.slice(from, to)} can match the same text in too many ways`
}

type IsCostly = (node: Node) => boolean

/** Judges each part alone, with a fixed start, until the work limit is used up. */
function createSearch(): IsCostly {
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

/** Finds a small part of the pattern that is too costly by itself. */
function smallestCostlyPart(node: Node, isDear: IsCostly): Node {
  const part = childrenOf(node).find(isDear)
  if (part !== undefined) return smallestCostlyPart(part, isDear)
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
    // The repetition is the costly part, unless its body is already too costly.
    case 'repeat':
    case 'look':
      return [node.body]
    case 'characters':
    case 'assertion':
      return []
  }
}
