import { describe, expect, it } from 'vitest'
import { runModel } from './command.ts'
import type { Exploration } from './explore.ts'
import { explore } from './explore.ts'
import type { Flaw } from './flaws.ts'
import { FLAWS } from './flaws.ts'
import { PROPERTIES } from './properties.ts'
import type { RunName } from './runs.ts'
import { CAUGHT, RUNS } from './runs.ts'
import type { Bounds, World } from './world.types.ts'
import { FAULTS } from './world.types.ts'

// The model of a payment's life: every interleaving of nodes, suppliers, clients and faults within small bounds.

/** Facts that some state must show. A search that never gets there would prove nothing about them. */
const MET = {
  accepted: (world: World) => has(world, 0),
  processing: (world: World) => has(world, 1),
  succeeded: (world: World) => has(world, 20),
  'concluded to have failed': (world: World) => has(world, 47),
  'reported as failed': (world: World) => has(world, 48),
  voided: (world: World) => has(world, 53),
  'a second attempt': ({ lives }: World) => lives.some(({ row }) => row?.work?.attempt === 2),
  'a repeated reference': ({ lives }: World) => lives.some(({ row }) => (row?.work?.repeats ?? 0) > 0),
  'a contradiction': ({ lives }: World) => lives.some(({ row }) => (row?.contradictions.length ?? 0) > 0),
  'an open attempt': ({ lives }: World) => lives.some(({ row }) => (row?.open.length ?? 0) > 0),
  'an unsent attempt': ({ lives }: World) => lives.some(({ row }) => row?.work?.isUnsent === true),
  'a rejection': ({ lives }: World) => lives.some(({ toldNo }) => toldNo > 0),
  'a late holder beside a new one': ({ tasks }: World) =>
    tasks.some((task) => task.kind === 'dispatch' && task.isLate) &&
    tasks.some((task) => task.kind === 'recovery'),
  'two payments of one wallet': ({ lives }: World) => lives.filter(({ row }) => row !== null).length === 2,
} as const

function has({ lives }: World, code: number): boolean {
  return lives.some(({ row }) => row?.code === code)
}

type Searched = { readonly found: Exploration; readonly met: ReadonlySet<string> }

/** Runs that are searched to their end here. The others would take too long: `npm run model` searches them. */
const WHOLE: readonly RunName[] = ['takeover']
const NEAREST_STATES = 3_000

const searched = new Map<RunName, Searched>()

/** Searches once, however many tests look at the result. */
function search(name: RunName): Searched {
  const known = searched.get(name)
  if (known !== undefined) return known
  const met = new Set<string>()
  const onState = (world: World) => {
    for (const [fact, holds] of Object.entries(MET)) if (!met.has(fact) && holds(world)) met.add(fact)
  }
  const limit = WHOLE.includes(name) ? {} : { statesMax: NEAREST_STATES }
  const result = { found: explore(RUNS[name] as Bounds, { onState, ...limit }), met }
  searched.set(name, result)
  return result
}

const NAMES = Object.keys(RUNS) as RunName[]

describe('every property holds', () => {
  it.each(WHOLE)('in every state within the bounds of %s, and an end can be reached from each', (name) => {
    const { violation, isComplete } = search(name).found
    expect(violation).toBeUndefined()
    expect(isComplete).toBe(true)
  })

  it.each(NAMES.filter((name) => !WHOLE.includes(name)))('in the nearest states of %s', (name) => {
    const { violation, states } = search(name).found
    expect(violation).toBeUndefined()
    expect(states).toBeGreaterThanOrEqual(NEAREST_STATES)
  })

  it('in states of every kind: no claim is empty', () => {
    const met = NAMES.flatMap((name) => [...search(name).met])
    expect(Object.keys(MET).filter((fact) => !met.includes(fact))).toEqual([])
  })
})

describe('a broken model', () => {
  it.each(Object.keys(FLAWS) as Flaw[])('is caught by its own property when %s', (flaw) => {
    const { by, run } = CAUGHT[flaw]
    const { violation } = explore({ ...(RUNS[run] as Bounds), flaw }, { properties: [by] })
    expect(violation?.property).toBe(by)
    expect(violation?.story.length).toBeGreaterThan(1)
  })

  it('exists for every property, so that each is known to be able to fail', () => {
    const used = new Set(Object.values(CAUGHT).map(({ by }) => by))
    expect(Object.keys(PROPERTIES).filter((property) => !used.has(property as never))).toEqual([])
  })

  it('is told as the shortest story, in words', () => {
    const bounds: Bounds = { ...RUNS.intake, rejects: false, flaw: 'no_second_look' }
    const { violation } = explore(bounds)
    expect(violation).toEqual({
      property: 'money',
      story: [
        'The client sends payment 1 to Node A.',
        'The client sends payment 1 again to Node B.',
        'Node A looks for the refid of payment 1 and finds nothing.',
        'Node B looks for the refid of payment 1 and finds nothing.',
        'Node A takes payment 1: its cost leaves the wallet.',
        'Node B takes payment 1: its cost leaves the wallet.',
      ],
    })
  })
})

describe('the command', () => {
  function run(...args: string[]): { status: number; lines: string[] } {
    const lines: string[] = []
    return { status: runModel(args, (line) => lines.push(line)), lines }
  }

  it('tells bounds, states, steps, depth, time and properties of a run, and ends with 0', () => {
    const { status, lines } = run('--run', 'takeover', '--requests', '0')
    expect(status).toBe(0)
    expect(lines).toEqual([
      expect.stringMatching(/^takeover: 2 nodes, 1 payment, 0 requests each, .*, no faults$/),
      expect.stringMatching(/^ {2}[\d,]+ states, [\d,]+ steps, depth \d+, [\d.]+ s; 9 properties$/),
      '  every property holds in every state',
    ])
  })

  it('tells the story of a violation step by step, and ends with 1', () => {
    const { status, lines } = run('--flaw', 'answer_before_commit')
    expect(status).toBe(1)
    expect(lines.slice(2)).toEqual([
      `  BROKEN: ${PROPERTIES.client}`,
      '    1. The client sends payment 1 to Node A.',
      '    2. Node A looks for the refid of payment 1 and finds nothing; it answers Accepted.',
    ])
  })

  it('says so when a search is given up, and does not call it a proof', () => {
    const { status, lines } = run('--run', 'crash', '--states', '100')
    expect(status).toBe(1)
    expect(lines.at(-1)).toBe('  given up: not all states were visited')
  })

  it('refuses names that it does not know', () => {
    expect(() => run('--flaw', 'none')).toThrow(/none is no known flaw/)
    expect(() => run('--nodes', 'many')).toThrow(/--nodes is a whole number/)
  })
})

it('a virtual machine that is stopped with all its clocks is a known limit: its order may leave after the refund', () => {
  const bounds: Bounds = { ...RUNS.suspension, faultKinds: ['stop'] }
  const { violation } = explore(bounds, { properties: ['refund'] })
  expect(violation?.story).toContain('The virtual machine of Node A is stopped, and all its clocks with it.')
  expect(violation?.story).toContain('Node A sends attempt 1 of payment 1 to Alpha.')
})

it('every fault is in a run, or is a known limit with a test of its own', () => {
  const used = new Set<string>(Object.values<Bounds>(RUNS).flatMap(({ faultKinds }) => faultKinds))
  expect(Object.keys(FAULTS).filter((fault) => !used.has(fault))).toEqual(['stop'])
})
