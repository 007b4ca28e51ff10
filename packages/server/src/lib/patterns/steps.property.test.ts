import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Program } from './program.ts'
import { compileProgram } from './program.ts'
import { countSteps } from './steps.ts'
import { parsePattern } from './syntax.ts'

const LENGTH_MAX = 6
const part = fc
  .tuple(
    fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '(?:a|b)', '(?:ab?|a)', '^', '$'),
    fc.constantFrom('', '?', '*', '+', '{2,4}'),
  )
  .map(([atom, many]) => (/[$^]$/.test(atom) ? atom : `${atom}${many}`))
const pattern = fc.array(part, { minLength: 1, maxLength: 7 }).map((parts) => parts.join(''))
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: LENGTH_MAX })

/** Visits every path, as a matcher does that never succeeds. */
function visit({ instructions }: Program, value: string, at: number, place: number): number {
  const instruction = instructions[at]
  const visitFrom = (next: number, where: number) => visit({ instructions } as Program, value, next, where)
  switch (instruction?.op) {
    case 'characters': {
      const code = value.codePointAt(place)
      return (
        1 + (code !== undefined && instruction.set.has(code) ? visitFrom(instruction.next, place + 1) : 0)
      )
    }
    case 'split':
      return instruction.targets.reduce((sum, target) => sum + visitFrom(target, place), 1)
    case 'assert': {
      const holds = instruction.which === 'start' ? place === 0 : place === value.length
      return 1 + (holds ? visitFrom(instruction.next, place) : 0)
    }
    default:
      return 1
  }
}

it('no text takes a backtracking matcher more steps than were counted', () => {
  fc.assert(
    fc.property(pattern, text, (source, value) => {
      const root = parsePattern(source)
      const program = compileProgram(root, LENGTH_MAX, false)
      const places = Array.from({ length: value.length + 1 }, (_, place) => place)
      const visited = places.reduce((sum, place) => sum + visit(program, value, program.start, place), 0)
      expect(visited).toBeLessThanOrEqual(countSteps(root, LENGTH_MAX))
    }),
    { numRuns: 500 },
  )
})
