import type { Instruction, LookAround, Program } from './program.ts'
import { compileProgram } from './program.ts'
import type { Node } from './syntax.ts'
import { UnsupportedPattern } from './syntax.ts'

/**
 * Position of the matcher in the text: `^` holds at its start alone, and inside a look-behind the position is unknown.
 */
type Standing = 'start' | 'later' | 'unknown'

/** Steps from a program's start, by the number of characters left. */
type Steps = { readonly [S in Standing]: Float64Array }

/**
 * Limit of instructions times kinds of characters, over all programs of a pattern: counting takes some hundred times as
 * long.
 */
const WORK_MAX = 40_000
/** Factor for the body of a look-around, which is counted for every position and to the end. */
const BODY_WORK = 3

export type StepsLimits = {
  /** Length limit of the texts, in characters. */
  readonly lengthMax: number
  /** Limit of steps at which counting stops; when left out, it goes on to the end. */
  readonly stepsMax?: number
  readonly workMax?: number
}

export type StepsCount = {
  /** Infinity when the pattern repeats something that can be empty; undefined when it is too large to be counted. */
  readonly steps: number | undefined
  /** Work that counting took, in the unit of `workMax`. */
  readonly work: number
}

/**
 * Returns an upper bound on the steps that a backtracking matcher takes before it says no, for the worst text of at
 * most `lengthMax` characters.
 *
 * Such a matcher visits every path of the automaton that the text allows. The steps from an instruction are one more
 * than the sum of its successors' steps, for the worst next character: successors that do not take the same character
 * are not added up. Each successor may choose its own worst rest of the text, so this is a bound and not the exact
 * number.
 */
export function countSteps(root: Node, limits: StepsLimits): StepsCount {
  const { lengthMax, stepsMax = Number.POSITIVE_INFINITY, workMax = WORK_MAX } = limits
  const counter = createCounter(lengthMax, workMax)
  try {
    return { steps: worstOf(counter.count(root), stepsMax), work: counter.work() }
  } catch (error) {
    if (!(error instanceof UnsupportedPattern)) throw error
    return { steps: undefined, work: counter.work() }
  }
}

/**
 * Treats every length as a separate text: `$` holds at its end alone, so a shorter text can take more steps. Without a
 * match at one place, the matcher begins again at the next.
 */
function worstOf(lengths: Iterable<LengthSteps>, stepsMax: number): number {
  let worst = 0
  let fromLaterPlaces = 0
  for (const { start, later } of lengths) {
    worst = Math.max(worst, start + fromLaterPlaces)
    if (worst > stepsMax) break
    fromLaterPlaces += later
  }
  return worst
}

/** Steps from a program's start, for each number of characters left, counted upwards from none. */
type LengthSteps = { readonly [S in Standing]: number }

type Counter = { count(root: Node): Iterable<LengthSteps>; work(): number }

function createCounter(lengthMax: number, workMax: number): Counter {
  const bodies = new Map<Node, Steps>()
  let work = 0

  function* countLengths(program: Program, isBody: boolean): Generator<LengthSteps> {
    const { instructions, start } = program
    const kinds = kindsOfCharacters(instructions)
    work += instructions.length * kinds.length * (isBody ? BODY_WORK : 1)
    if (work > workMax) throw new UnsupportedPattern('is too large')
    const entries = entriesOf(program)
    let beforeLater: Float64Array = new Float64Array(instructions.length)
    let beforeUnknown: Float64Array = new Float64Array(instructions.length)
    for (let left = 0; left <= lengthMax; left += 1) {
      const place = { instructions, kinds: left === 0 ? NO_CHARACTER : kinds, left, lookAroundSteps }
      // The matcher is past the start of the text after one character, wherever it began.
      const began = walkAll({ ...place, standing: 'start', before: beforeLater }, [start])
      beforeLater = walkAll({ ...place, standing: 'later', before: beforeLater }, entries)
      if (isBody) beforeUnknown = walkAll({ ...place, standing: 'unknown', before: beforeUnknown }, entries)
      yield { start: began[start] ?? 0, later: beforeLater[start] ?? 0, unknown: beforeUnknown[start] ?? 0 }
    }
  }

  function countBody({ isAhead, body }: LookAround): Steps {
    const known = bodies.get(body)
    if (known !== undefined) return known
    const lengths = [...countLengths(compileProgram(body, lengthMax, !isAhead), true)]
    const steps: Steps = {
      start: Float64Array.from(lengths, ({ start }) => start),
      later: Float64Array.from(lengths, ({ later }) => later),
      unknown: Float64Array.from(lengths, ({ unknown }) => unknown),
    }
    bodies.set(body, steps)
    return steps
  }

  function lookAroundSteps(look: LookAround, standing: Standing, left: number): number {
    const known = countBody(look)
    // The length of the text behind is not known.
    if (!look.isAhead || standing === 'unknown') return known.unknown[lengthMax] ?? 0
    return known[standing][left] ?? 0
  }

  return {
    count: (root) => countLengths(compileProgram(root, lengthMax, false), false),
    work: () => work,
  }
}

/** Lists the start, and every instruction that follows a character. */
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
  lookAroundSteps(look: LookAround, standing: Standing, left: number): number
}

/** Returns the steps from each of the entries, for the kind of next character that gives most. */
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
  // A path that returns here without taking a character loops for ever.
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
      steps += walk.lookAroundSteps(instruction.look, walk.standing, walk.left)
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
 * Groups the characters that the same instructions take into one kind. Sets are made of ranges, so the first character
 * of each range and the one after its end cover every kind. The edges of a set with a Unicode property are not listed:
 * it counts as a set of all characters, which makes the bound larger and never smaller.
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
