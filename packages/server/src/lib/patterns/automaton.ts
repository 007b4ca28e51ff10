import type { Instruction, LookAround, Program } from './program.ts'
import { compileProgram, INSTRUCTIONS_MAX } from './program.ts'
import type { Assertion, Node } from './syntax.ts'
import { UnsupportedPattern } from './syntax.ts'

/**
 * Matches in time proportional to the text's length: the automaton is in all its states together, each at most once per
 * character. The programs of the pattern and of its look-arounds are bounded together. Texts longer than `lengthMax`
 * characters never match. Throws UnsupportedPattern.
 */
export function createAutomaton(root: Node, lengthMax: number): (text: string) => boolean {
  const programs = new Map<Node, Program>()
  let size = 0
  const main = compile(root, false)

  function compile(node: Node, isBackward: boolean): Program {
    const program = compileProgram(node, lengthMax, isBackward)
    size += program.instructions.length
    if (size > INSTRUCTIONS_MAX) throw new UnsupportedPattern('is too large')
    for (const each of program.instructions) {
      // A repetition contains the same look-around many times. Compiling it for each would multiply nested ones without
      // end.
      if (each.op !== 'look' || programs.has(each.look.body)) continue
      // A look-ahead is read from the end, so that one pass finds every place where it begins.
      programs.set(each.look.body, compile(each.look.body, each.look.isAhead))
    }
    return program
  }

  return (text) => {
    const codePoints = Array.from(text, (character) => character.codePointAt(0) ?? 0)
    return codePoints.length <= lengthMax && positionsOf(main, { codePoints, programs }).includes(1)
  }
}

type Text = { readonly codePoints: readonly number[]; readonly programs: ReadonlyMap<Node, Program> }

/** Returns 1 for each place of the text, from 0 to its length, where a match ends in the direction of the program. */
function positionsOf(program: Program, text: Text): Uint8Array {
  const { instructions, start, isBackward } = program
  const { length } = text.codePoints
  const places = new Uint8Array(length + 1)
  const sees = createLookAround(text)
  const seenAt = new Int32Array(instructions.length).fill(-1)
  let pending: number[] = []
  for (let step = 0; step <= length; step += 1) {
    const place = isBackward ? length - step : step
    const character = text.codePoints[isBackward ? place - 1 : place]
    const following: number[] = []
    // A match can begin anywhere.
    pending.push(start)
    for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
      if (seenAt[at] === step) continue
      seenAt[at] = step
      const instruction = instructions[at]
      if (instruction?.op === 'accept') places[place] = 1
      else if (instruction?.op !== 'characters') pending.push(...freeMoves(instruction, text, place, sees))
      else if (character !== undefined && instruction.set.has(character)) following.push(instruction.next)
    }
    pending = following
  }
  return places
}

const NOWHERE: readonly number[] = []

/** Lists the instructions that follow without taking a character. */
function freeMoves(
  instruction: Instruction | undefined,
  text: Text,
  place: number,
  sees: (look: LookAround, place: number) => boolean,
): readonly number[] {
  switch (instruction?.op) {
    case 'split':
      return instruction.targets
    case 'assert':
      return holds(instruction.which, text, place) ? [instruction.next] : NOWHERE
    case 'look':
      return sees(instruction.look, place) ? [instruction.next] : NOWHERE
    case 'characters':
    case 'accept':
    case undefined:
      return NOWHERE
  }
}

/** Finds a look-around's places when it is first needed. */
function createLookAround(text: Text): (look: LookAround, place: number) => boolean {
  const found = new Map<LookAround, Uint8Array>()
  return (look, place) => {
    const program = text.programs.get(look.body)
    const places = found.get(look) ?? (program === undefined ? new Uint8Array(0) : positionsOf(program, text))
    found.set(look, places)
    return (places[place] === 1) !== look.isNegated
  }
}

function holds(which: Assertion, { codePoints }: Text, place: number): boolean {
  if (which === 'start') return place === 0
  if (which === 'end') return place === codePoints.length
  const isBoundary = isWord(codePoints[place - 1]) !== isWord(codePoints[place])
  return isBoundary === (which === 'boundary')
}

function isWord(codePoint: number | undefined): boolean {
  return codePoint !== undefined && /\w/.test(String.fromCodePoint(codePoint))
}
