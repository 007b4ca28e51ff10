import type { Instruction, Look, Program } from './program.ts'
import { compileProgram } from './program.ts'
import type { Node } from './syntax.ts'

/** Where in the text the matcher stands: `^` holds at its start alone, and inside a look-behind nobody knows. */
type Standing = 'start' | 'later' | 'unknown'

/** Steps from a program's start, by the number of characters that are left. */
type Steps = { readonly [S in Standing]: Float64Array }

/**
 * An upper bound on the steps that a backtracking matcher takes before it says no, for the worst text of at most
 * `lengthMax` characters. Infinity: the pattern repeats something that can be empty.
 *
 * Such a matcher visits every path of the automaton that the text allows. The steps from an instruction are one more
 * than those of its successors together, for the worst next character: successors that do not take the same character
 * are not added up. Each successor may choose its own worst rest of the text, hence a bound and not the exact number.
 */
export function countSteps(root: Node, lengthMax: number): number {
  const { start, later } = createCounter(lengthMax)(compileProgram(root, lengthMax, false))
  // Without a match at one place, the matcher begins again at the next.
  return later.subarray(0, lengthMax).reduce((sum, each) => sum + each, start[lengthMax] ?? 0)
}

function createCounter(lengthMax: number): (program: Program) => Steps {
  const bodies = new Map<Node, Steps>()

  function count(program: Program, isBody = false): Steps {
    const { instructions, start } = program
    const entries = entriesOf(program)
    const kinds = kindsOfCharacters(instructions)
    const steps: Steps = {
      start: new Float64Array(lengthMax + 1),
      later: new Float64Array(lengthMax + 1),
      unknown: new Float64Array(lengthMax + 1),
    }
    const before: { later: Float64Array; unknown: Float64Array } = {
      later: new Float64Array(instructions.length),
      unknown: new Float64Array(instructions.length),
    }
    for (let left = 0; left <= lengthMax; left += 1) {
      // After a character the matcher stands later in the text, wherever it began.
      const began = walkAll({ ...place(left), standing: 'start', before: before.later }, [start])
      before.later = walkAll({ ...place(left), standing: 'later', before: before.later }, entries)
      if (isBody)
        before.unknown = walkAll({ ...place(left), standing: 'unknown', before: before.unknown }, entries)
      steps.start[left] = began[start] ?? 0
      steps.later[left] = before.later[start] ?? 0
      steps.unknown[left] = before.unknown[start] ?? 0
    }
    return steps

    function place(left: number) {
      return { instructions, kinds: left === 0 ? NO_CHARACTER : kinds, left, lookSteps }
    }
  }

  function lookSteps({ isAhead, body }: Look, standing: Standing, left: number): number {
    const known = bodies.get(body) ?? count(compileProgram(body, lengthMax, !isAhead), true)
    bodies.set(body, known)
    // How much text lies behind is not known.
    if (!isAhead || standing === 'unknown') return known.unknown[lengthMax] ?? 0
    return known[standing][left] ?? 0
  }

  return count
}

/** The start, and whatever a character leads to. */
function entriesOf({ instructions, start }: Program): number[] {
  return [
    ...new Set([start, ...instructions.flatMap((each) => (each.op === 'characters' ? [each.next] : []))]),
  ]
}

type Walk = {
  readonly instructions: readonly Instruction[]
  readonly kinds: readonly Kind[]
  readonly standing: Standing
  readonly left: number
  /** Steps from each instruction with one character less. */
  readonly before: Float64Array
  lookSteps(look: Look, standing: Standing, left: number): number
}

/** Steps from each of the entries, for the kind of next character that makes them most. */
function walkAll(walk: Walk, entries: readonly number[]): Float64Array {
  const most = new Float64Array(walk.instructions.length)
  for (const takes of walk.kinds) {
    const known = new Float64Array(walk.instructions.length).fill(-1)
    for (const entry of entries)
      most[entry] = Math.max(most[entry] ?? 0, stepsFrom(walk, takes, known, entry))
  }
  return most
}

function stepsFrom(walk: Walk, takes: Kind, known: Float64Array, at: number): number {
  const already = known[at] ?? -1
  if (already !== -1) return already
  // Whoever comes by here again without a character in between goes round for ever.
  known[at] = Number.POSITIVE_INFINITY
  const instruction = walk.instructions[at]
  let steps = 1
  switch (instruction?.op) {
    case 'characters':
      if (takes[at] === 1) steps += walk.before[instruction.next] ?? 0
      break
    case 'split':
      for (const target of instruction.targets) steps += stepsFrom(walk, takes, known, target)
      break
    case 'assert':
      if (canHold(walk, instruction.which)) steps += stepsFrom(walk, takes, known, instruction.next)
      break
    case 'look':
      steps += walk.lookSteps(instruction.look, walk.standing, walk.left)
      steps += stepsFrom(walk, takes, known, instruction.next)
      break
    case 'accept':
    case undefined:
      break
  }
  known[at] = steps
  return steps
}

function canHold({ standing, left }: Walk, which: string): boolean {
  if (standing === 'unknown') return true
  if (which === 'start') return standing === 'start'
  return which !== 'end' || left === 0
}

// ── Kinds of characters ──

/** 1 for each instruction that takes a character of this kind. */
type Kind = Uint8Array

const NO_CHARACTER: readonly Kind[] = [new Uint8Array(0)]

/**
 * Characters that the same instructions take are one kind. Sets are made of ranges, so the characters at which some
 * range begins, or the one after its end, are of every kind there is. A set with a Unicode property is not listed: it
 * counts as one of all characters, which makes the bound larger and never smaller.
 */
function kindsOfCharacters(instructions: readonly Instruction[]): readonly Kind[] {
  const sets = [...new Set(instructions.flatMap((each) => (each.op === 'characters' ? [each.set] : [])))]
  const codePoints = new Set([0, ...sets.flatMap((set) => set.edges ?? [])])
  const kinds = new Map<string, Kind>()
  for (const code of codePoints) {
    const taking = new Set(sets.filter((set) => set.edges === undefined || set.has(code)))
    const name = sets.map((set) => (taking.has(set) ? '1' : '0')).join('')
    if (kinds.has(name)) continue
    kinds.set(
      name,
      Uint8Array.from(instructions, (each) => (each.op === 'characters' && taking.has(each.set) ? 1 : 0)),
    )
  }
  return [...kinds.values()]
}
