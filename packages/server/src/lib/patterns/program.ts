import type { Assertion, Node } from './syntax.ts'
import { namedCodePoints, UnsupportedPattern } from './syntax.ts'

/** A nondeterministic automaton. `next` and `targets` are indexes of instructions. */
export type Program = {
  readonly start: number
  readonly instructions: readonly Instruction[]
  readonly isBackward: boolean
}

export type Instruction =
  | { readonly op: 'accept' }
  | { readonly op: 'characters'; readonly set: CharacterSet; readonly next: number }
  /** Goes on at every target at once; without any, it ends here. */
  | { readonly op: 'split'; readonly targets: number[] }
  | { readonly op: 'assert'; readonly which: Assertion; readonly next: number }
  | { readonly op: 'look'; readonly look: Look; readonly next: number }

export type Look = { readonly isAhead: boolean; readonly isNegated: boolean; readonly body: Node }

export type CharacterSet = {
  has(codePoint: number): boolean
  /** Code points at which the set may begin or end; undefined: it uses a Unicode property, which are not listed. */
  readonly edges: readonly number[] | undefined
}

/** More than any pattern of 200 characters needs that can match 100 characters in a sensible number of ways. */
const INSTRUCTIONS_MAX = 3_000

/**
 * Compiles a tree for texts of at most `lengthMax` characters. Longer repetitions than that are cut off: on such texts
 * they match the same. A backward program reads the text from its end. Throws UnsupportedPattern.
 */
export function compileProgram(root: Node, lengthMax: number, isBackward: boolean): Program {
  const instructions: Instruction[] = []

  function add(instruction: Instruction): number {
    if (instructions.length >= INSTRUCTIONS_MAX) throw new UnsupportedPattern('is too large')
    return instructions.push(instruction) - 1
  }

  /** Returns where matching the node begins; what follows it begins at `next`. */
  function emit(node: Node, next: number): number {
    if (node.lengthMin > lengthMax) return add({ op: 'split', targets: [] })
    switch (node.kind) {
      case 'characters':
        return add({ op: 'characters', set: characterSet(node.source), next })
      case 'assertion':
        return add({ op: 'assert', which: node.which, next })
      case 'look':
        return add({ op: 'look', look: node, next })
      case 'choice':
        return add({ op: 'split', targets: node.options.map((each) => emit(each, next)) })
      case 'sequence': {
        const items = isBackward ? node.items : node.items.toReversed()
        return items.reduce((after, each) => emit(each, after), next)
      }
      case 'repeat':
        return emitRepeat(node, next)
    }
  }

  function emitRepeat({ body, min, max }: Node & { kind: 'repeat' }, next: number): number {
    // An assertion holds as often as it is asked.
    if (body.lengthMax === 0) return min === 0 ? next : emit(body, next)
    const least = Math.min(min, lengthMax + 1)
    const isEndless = max > lengthMax
    let entry = next
    if (isEndless) {
      const targets: number[] = []
      const loop = add({ op: 'split', targets })
      const again = emit(body, loop)
      targets.push(again, next)
      entry = least === 0 ? loop : again
    }
    const optional = isEndless ? 0 : max - least
    for (let count = 0; count < optional; count += 1) {
      entry = add({ op: 'split', targets: [emit(body, entry), next] })
    }
    const needed = isEndless ? Math.max(least - 1, 0) : least
    for (let count = 0; count < needed; count += 1) entry = emit(body, entry)
    return entry
  }

  const start = emit(root, add({ op: 'accept' }))
  return { start, instructions, isBackward }
}

// ── Characters ──

const ASCII = 128
/** Where the classes that are written as one letter begin and end: \d, \w, \s and the dot. */
const CLASS_EDGES = [
  0x00, 0x09, 0x0a, 0x0b, 0x0d, 0x0e, 0x20, 0x21, 0x30, 0x3a, 0x41, 0x5b, 0x5f, 0x60, 0x61, 0x7b, 0xa0, 0xa1,
  0x1680, 0x1681, 0x2000, 0x200b, 0x2028, 0x202a, 0x202f, 0x2030, 0x205f, 0x2060, 0x3000, 0x3001, 0xfeff,
  0xff00,
]

const sets = new Map<string, CharacterSet>()
const SETS_MAX = 1_000

/** Asks the language's own matcher about single characters, so that classes mean exactly what they mean there. */
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
