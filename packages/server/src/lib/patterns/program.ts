import type { Assertion, Node } from './syntax.ts'
import { namedCodePoints, UnsupportedPattern } from './syntax.ts'

/** Nondeterministic automaton. `next` and `targets` are indexes of instructions. */
export type Program = {
  readonly start: number
  readonly instructions: readonly Instruction[]
  readonly isBackward: boolean
}

export type Instruction =
  | { readonly op: 'accept' }
  | { readonly op: 'characters'; readonly set: CharacterSet; readonly next: number }
  /** Continues at every target; without targets, the path ends here. */
  | { readonly op: 'split'; readonly targets: number[] }
  | { readonly op: 'assert'; readonly which: Assertion; readonly next: number }
  | { readonly op: 'look'; readonly look: LookAround; readonly next: number }

export type LookAround = { readonly isAhead: boolean; readonly isNegated: boolean; readonly body: Node }

export type CharacterSet = {
  has(codePoint: number): boolean
  /**
   * Code points at which the set may begin or end; undefined when it uses a Unicode property, whose edges are not
   * listed.
   */
  readonly edges: readonly number[] | undefined
}

/**
 * Limit of instructions. It is more than any pattern of 200 characters needs that can match 100 characters in a
 * sensible number of ways.
 */
export const INSTRUCTIONS_MAX = 3_000

/**
 * Compiles a tree for texts of at most `lengthMax` characters. It leaves out parts that no such text reaches, because
 * the parts before them take more characters than there are. A part that is reached stays, even where the whole cannot
 * match, because a matcher that backtracks tries it. A backward program reads the text from its end. Throws
 * UnsupportedPattern.
 */
export function compileProgram(root: Node, lengthMax: number, isBackward: boolean): Program {
  const instructions: Instruction[] = []

  function add(instruction: Instruction): number {
    if (instructions.length >= INSTRUCTIONS_MAX) throw new UnsupportedPattern('is too large')
    return instructions.push(instruction) - 1
  }

  function addNothing(): number {
    return add({ op: 'split', targets: [] })
  }

  /**
   * Returns the instruction where matching the node begins; the part after it begins at `next`. The parts before the
   * node take at least `before` characters.
   */
  function emit(node: Node, next: number, before: number): number {
    if (before > lengthMax) return addNothing()
    switch (node.kind) {
      case 'characters':
        return add({ op: 'characters', set: characterSet(node.source), next })
      case 'assertion':
        return add({ op: 'assert', which: node.which, next })
      case 'look':
        return add({ op: 'look', look: node, next })
      case 'choice':
        return add({ op: 'split', targets: node.options.map((each) => emit(each, next, before)) })
      case 'sequence':
        return emitSequence(node.items, next, before)
      case 'repeat':
        return emitRepeat(node, next, before)
    }
  }

  function emitSequence(items: readonly Node[], next: number, before: number): number {
    let place = before
    const placed = (isBackward ? items.toReversed() : items).map((item) => {
      const itemBefore = place
      place += item.lengthMin
      return { item, itemBefore }
    })
    return placed.reduceRight((after, { item, itemBefore }) => emit(item, after, itemBefore), next)
  }

  function emitRepeat({ body, min, max }: Node & { kind: 'repeat' }, next: number, before: number): number {
    // Repeating an assertion does not change its result.
    if (body.lengthMax === 0) return min === 0 ? next : emit(body, next, before)
    const reached =
      body.lengthMin === 0 ? lengthMax + 1 : Math.floor((lengthMax - before) / body.lengthMin) + 1
    const least = Math.min(min, reached)
    // No text is long enough for the remaining repetitions.
    if (least < min && body.lengthMin > 0) return emitCopies(body, addNothing(), before, least)
    if (max > lengthMax) return emitEndless(body, next, before, least)
    let entry = next
    for (let index = Math.min(max, reached) - 1; index >= least; index -= 1) {
      entry = add({ op: 'split', targets: [emit(body, entry, before + index * body.lengthMin), next] })
    }
    return emitCopies(body, entry, before, least)
  }

  /** Repeats the body at least `least` times; the last of these and all further ones share one copy. */
  function emitEndless(body: Node, next: number, before: number, least: number): number {
    const single = Math.max(least - 1, 0)
    const targets: number[] = []
    const loop = add({ op: 'split', targets })
    const again = emit(body, loop, before + single * body.lengthMin)
    targets.push(again, next)
    return emitCopies(body, least === 0 ? loop : again, before, single)
  }

  function emitCopies(body: Node, next: number, before: number, count: number): number {
    let entry = next
    for (let index = count - 1; index >= 0; index -= 1) {
      entry = emit(body, entry, before + index * body.lengthMin)
    }
    return entry
  }

  const start = emit(root, add({ op: 'accept' }), 0)
  return { start, instructions, isBackward }
}

// ── Characters ──

export const ASCII = 128
/** Code points where the one-letter classes begin and end: \d, \w, \s and the dot. */
const CLASS_EDGES = [
  0x00, 0x09, 0x0a, 0x0b, 0x0d, 0x0e, 0x20, 0x21, 0x30, 0x3a, 0x41, 0x5b, 0x5f, 0x60, 0x61, 0x7b, 0xa0, 0xa1,
  0x1680, 0x1681, 0x2000, 0x200b, 0x2028, 0x202a, 0x202f, 0x2030, 0x205f, 0x2060, 0x3000, 0x3001, 0xfeff,
  0xff00,
]

const sets = new Map<string, CharacterSet>()
const SETS_MAX = 1_000

/** Tests single characters with the language's own matcher, so that classes mean exactly the same. */
function characterSet(source: string): CharacterSet {
  const known = sets.get(source)
  if (known !== undefined) return known
  const one = new RegExp(`^${source}$`, 'u')
  const ascii = Uint8Array.from({ length: ASCII }, (_, code) => (one.test(String.fromCharCode(code)) ? 1 : 0))
  const edges = namedCodePoints(source).flatMap((code) => [code, code + 1])
  const set: CharacterSet = {
    has: (code) => (code < ASCII ? ascii[code] === 1 : one.test(String.fromCodePoint(code))),
    edges: /\\[pP]\{/.test(source)
      ? undefined
      : [...CLASS_EDGES, ...edges].filter((code) => code <= 0x10ffff),
  }
  if (sets.size >= SETS_MAX) sets.clear()
  sets.set(source, set)
  return set
}
