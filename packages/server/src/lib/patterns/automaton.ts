import type { CharacterSet, Instruction, Program } from './program.ts'
import { ASCII, compileProgram, INSTRUCTIONS_MAX } from './program.ts'
import type { Assertion, Node } from './syntax.ts'
import { UnsupportedPattern } from './syntax.ts'

/**
 * Limits of what a program remembers, about 1 kB for each state. Beyond them everything is worked out each time, which
 * takes longer and gives the same.
 */
const STATES_MAX = 200
const LETTERS_MAX = 100
/** Limit of a remembered state's instructions: naming a larger one would take longer than working it out. */
const STATE_INSTRUCTIONS_MAX = 100

/**
 * Matches in time proportional to the text's length: the automaton is at all its instructions together, each at most
 * once per character. What follows a state is remembered, so that an ordinary text costs a look into a table for each
 * character. The programs of the pattern and of its look-arounds are bounded together. Texts longer than `lengthMax`
 * characters never match. Throws UnsupportedPattern.
 */
export function createAutomaton(root: Node, lengthMax: number): (text: string) => boolean {
  const machines = new Map<Node, Machine>()
  let size = 0
  const main = compile(root, false)

  function compile(node: Node, isBackward: boolean): Machine {
    const program = compileProgram(node, lengthMax, isBackward)
    size += program.instructions.length
    if (size > INSTRUCTIONS_MAX) throw new UnsupportedPattern('is too large')
    const looks = new Set<Machine>()
    for (const each of program.instructions) {
      if (each.op !== 'look') continue
      const { body, isAhead } = each.look
      // A repetition contains the same look-around many times. Compiling it for each would multiply nested ones without
      // end. A look-ahead is read from the end, so that one pass finds every place where it begins.
      const look = machines.get(body) ?? compile(body, isAhead)
      machines.set(body, look)
      looks.add(look)
    }
    return createMachine(node, program, [...looks])
  }

  return (text) => {
    // The limit counts characters, which are never more than UTF-16 units.
    if (text.length > lengthMax && [...text].length > lengthMax) return false
    for (const each of machines.values()) each.places = undefined
    return read(main, text)
  }
}

/**
 * Tells whether a match ends anywhere, in the direction of the program. With `places`, which has one more than the text
 * has UTF-16 units, it goes on and marks each such offset.
 */
function read(machine: Machine, text: string, places?: Uint8Array): boolean {
  const { plain, program } = machine
  const hasLooks = machine.looks.length > 0
  let state = machine.initial
  let at = program.isBackward ? text.length : 0
  for (;;) {
    const codePoint = (program.isBackward ? codePointBefore(text, at) : text.codePointAt(at)) ?? EDGE
    const plainLetter = plain[codePoint + 1] ?? readLetter(machine, codePoint)
    const letter = hasLooks ? withLooks(machine, text, at, plainLetter) : plainLetter
    state = state.following[letter.index] ?? follow(machine, state, letter)
    if (state.isAfterMatch) {
      if (places === undefined) return true
      places[at] = 1
    }
    if (codePoint === EDGE) return false
    const width = codePoint > 0xffff ? 2 : 1
    at += program.isBackward ? -width : width
  }
}

function codePointBefore(text: string, at: number): number | undefined {
  const pair = text.codePointAt(at - 2)
  return pair !== undefined && pair > 0xffff ? pair : text.codePointAt(at - 1)
}

// ── Machines ──

/** Stands for what is beside the first and the last character, as if it were a character. */
const EDGE = -1

type Machine = {
  readonly root: Node
  readonly program: Program
  readonly sets: readonly CharacterSet[]
  readonly looks: readonly Machine[]
  /** Offsets of the present text at which this look-around matches, once they were needed. */
  places: Uint8Array | undefined
  readonly initial: State
  readonly states: Map<string, State>
  readonly letters: Map<string, Letter>
  lettersCount: number
  /** Letters of the edge and the ASCII characters where no look-around matches, by code point plus one. */
  readonly plain: (Letter | undefined)[]
}

type State = {
  /** Instructions that characters led to. */
  readonly entered: readonly number[]
  readonly before: Beside
  /** True when a match ended before the last letter. */
  readonly isAfterMatch: boolean
  /** Next states, by the index of the letter. */
  readonly following: (State | undefined)[]
}

/** Kind of what stands beside a place. */
type Beside = 'edge' | 'word' | 'other'

/** Stands for all characters that the same instructions take, where the same look-arounds match. */
type Letter = {
  /** LETTERS_MAX when it is not remembered. */
  readonly index: number
  /** Any of the characters. */
  readonly codePoint: number
  readonly kind: Beside
  /** Look-arounds that match there. */
  readonly seen: readonly Node[]
  readonly variants: Map<number, Letter>
}

function createMachine(root: Node, program: Program, looks: readonly Machine[]): Machine {
  const sets = new Set(program.instructions.flatMap((each) => (each.op === 'characters' ? [each.set] : [])))
  return {
    root,
    program,
    sets: [...sets],
    looks,
    places: undefined,
    initial: { entered: [], before: 'edge', isAfterMatch: false, following: [] },
    states: new Map(),
    letters: new Map(),
    lettersCount: 0,
    plain: new Array<Letter | undefined>(ASCII + 1).fill(undefined),
  }
}

/** Returns the letter of a place where no look-around matches. */
function readLetter(machine: Machine, codePoint: number): Letter {
  const kind = codePoint === EDGE ? 'edge' : isWord(codePoint) ? 'word' : 'other'
  const taking = machine.sets.map((set) => (codePoint !== EDGE && set.has(codePoint) ? 1 : 0))
  const name = `${kind} ${taking.join('')}`
  const letter = machine.letters.get(name) ?? createLetter(machine, codePoint, kind, [])
  if (letter.index < LETTERS_MAX) machine.letters.set(name, letter)
  if (codePoint < ASCII) machine.plain[codePoint + 1] = letter
  return letter
}

function createLetter(machine: Machine, codePoint: number, kind: Beside, seen: readonly Node[]): Letter {
  const index = Math.min(machine.lettersCount, LETTERS_MAX)
  machine.lettersCount += 1
  return { index, codePoint, kind, seen, variants: new Map() }
}

/** Returns the letter's variant for the look-arounds that match at the offset. */
function withLooks(machine: Machine, text: string, at: number, letter: Letter): Letter {
  let mask = 0
  for (const look of machine.looks) mask = 2 * mask + (isSeen(look, text, at) ? 1 : 0)
  if (mask === 0) return letter
  const known = letter.variants.get(mask)
  if (known !== undefined) return known
  const seen = machine.looks.filter((look) => isSeen(look, text, at)).map(({ root }) => root)
  const variant = createLetter(machine, letter.codePoint, letter.kind, seen)
  if (variant.index < LETTERS_MAX) letter.variants.set(mask, variant)
  return variant
}

function isSeen(look: Machine, text: string, at: number): boolean {
  if (look.places === undefined) {
    look.places = new Uint8Array(text.length + 1)
    read(look, text, look.places)
  }
  return look.places[at] === 1
}

function isWord(codePoint: number): boolean {
  return /\w/.test(String.fromCodePoint(codePoint))
}

/** Works out what follows a state, and remembers it. */
function follow(machine: Machine, state: State, letter: Letter): State {
  const { instructions, start, isBackward } = machine.program
  const met = new Uint8Array(instructions.length)
  const entered = new Set<number>()
  let isAfterMatch = false
  // A match can begin anywhere.
  const pending = [...state.entered, start]
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    if (met[at] === 1) continue
    met[at] = 1
    const instruction = instructions[at]
    if (instruction === undefined) continue
    pending.push(...freeMoves(instruction, state.before, letter, isBackward))
    if (instruction.op === 'accept') isAfterMatch = true
    if (instruction.op !== 'characters' || letter.codePoint === EDGE) continue
    if (instruction.set.has(letter.codePoint)) entered.add(instruction.next)
  }
  const next = remembered(machine, {
    entered: [...entered],
    before: letter.kind,
    isAfterMatch,
    following: [],
  })
  if (letter.index < LETTERS_MAX) state.following[letter.index] = next
  return next
}

function remembered({ states }: Machine, fresh: State): State {
  const { entered, before, isAfterMatch } = fresh
  if (entered.length > STATE_INSTRUCTIONS_MAX) return fresh
  const name = [before, isAfterMatch, ...entered].join()
  const known = states.get(name) ?? fresh
  if (states.size < STATES_MAX) states.set(name, known)
  return known
}

const NOWHERE: readonly number[] = []

/** Lists the instructions that follow without taking a character. */
function freeMoves(
  instruction: Instruction,
  before: Beside,
  after: Letter,
  isBackward: boolean,
): readonly number[] {
  switch (instruction.op) {
    case 'split':
      return instruction.targets
    case 'assert':
      return holds(instruction.which, before, after.kind, isBackward) ? [instruction.next] : NOWHERE
    case 'look':
      return after.seen.includes(instruction.look.body) === instruction.look.isNegated
        ? NOWHERE
        : [instruction.next]
    case 'characters':
    case 'accept':
      return NOWHERE
  }
}

function holds(which: Assertion, before: Beside, after: Beside, isBackward: boolean): boolean {
  if (which === 'start') return (isBackward ? after : before) === 'edge'
  if (which === 'end') return (isBackward ? before : after) === 'edge'
  return ((before === 'word') !== (after === 'word')) === (which === 'boundary')
}
