import { parseArgs } from 'node:util'
import { explore } from './explore.ts'
import type { Flaw } from './flaws.ts'
import { FLAWS } from './flaws.ts'
import { PROPERTIES } from './properties.ts'
import type { RunName } from './runs.ts'
import { CAUGHT, RUNS } from './runs.ts'
import type { Bounds, Fault } from './world.types.ts'
import { FAULTS } from './world.types.ts'

// `npm run model`: searches the runs, and tells what it found.

const HELP = `npm run model -- [options]

  --run NAME        one run instead of all: ${Object.keys(RUNS).join(', ')}
  --nodes N         nodes of the service (2)
  --payments N      payments of one wallet
  --funds N         payments that the wallet has money for
  --requests N      requests of the client for each payment
  --attempts N      attempts at one payment
  --sendings N      sendings of one payment, repeated references included
  --operators N     decisions of operators
  --voids N         voids
  --tasks N         tasks that the nodes have at the same time
  --faults N        faults in one story
  --fault KIND      faults that may happen, instead of the run's own; may be repeated: ${Object.keys(FAULTS).join(', ')}
  --states N        states after which a search is given up
  --flaw NAME       searches a model that is broken on purpose: ${Object.keys(FLAWS).join(', ')}
  --properties      lists the properties
`

const TEXT = { type: 'string' } as const
const FLAG = { type: 'boolean' } as const

const NUMBERS = {
  nodes: TEXT,
  payments: TEXT,
  funds: TEXT,
  requests: TEXT,
  attempts: TEXT,
  sendings: TEXT,
  operators: TEXT,
  voids: TEXT,
  tasks: TEXT,
  faults: TEXT,
} as const
const OPTIONS = {
  ...NUMBERS,
  run: TEXT,
  flaw: TEXT,
  states: TEXT,
  fault: { type: 'string', multiple: true },
  help: FLAG,
  properties: FLAG,
} as const

type NumberName = keyof typeof NUMBERS
type Print = (line: string) => void

/** Runs the command; returns the status with which it ends. */
export function runModel(args: readonly string[], print: Print): number {
  const { values } = parseArgs({ args: [...args], options: OPTIONS })
  if (values.help === true) {
    print(HELP)
    return 0
  }
  if (values.properties === true) {
    for (const [name, words] of Object.entries(PROPERTIES)) print(`${name.padEnd(16)}${words}`)
    return 0
  }
  const flaw = named(FLAWS, values.flaw, 'flaw') as Flaw | undefined
  const only = named(RUNS, values.run ?? (flaw === undefined ? undefined : CAUGHT[flaw].run), 'run')
  const names = only === undefined ? (Object.keys(RUNS) as RunName[]) : [only as RunName]
  const faults = values.fault?.map((kind) => named(FAULTS, kind, 'fault') as Fault)
  const change: Partial<Bounds> = {
    ...numbersOf(values),
    ...(faults !== undefined && { faultKinds: faults }),
    flaw,
  }
  const states = values.states === undefined ? undefined : wholeNumber('states', values.states)
  const results = names.map((name) =>
    searchRun(name, { ...(RUNS[name] as Bounds), ...change }, states, print),
  )
  return results.every(Boolean) ? 0 : 1
}

function numbersOf(
  values: Readonly<Partial<Record<NumberName, string>>>,
): Partial<Record<NumberName, number>> {
  const given: Partial<Record<NumberName, number>> = {}
  for (const name of Object.keys(NUMBERS) as NumberName[]) {
    const text = values[name]
    if (text !== undefined) given[name] = wholeNumber(name, text)
  }
  return given
}

function named(known: object, name: string | undefined, kind: string): string | undefined {
  if (name === undefined || Object.hasOwn(known, name)) return name
  throw new Error(`${name} is no known ${kind}; known are ${Object.keys(known).join(', ')}`)
}

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} is a whole number`)
  return Number(text)
}

function searchRun(name: string, bounds: Bounds, states: number | undefined, print: Print): boolean {
  const startedMs = performance.now()
  const properties = bounds.flaw === undefined ? undefined : [CAUGHT[bounds.flaw].by]
  const found = explore(bounds, {
    ...(states !== undefined && { statesMax: states }),
    ...(properties !== undefined && { properties }),
  })
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1)
  print(`${name}: ${wordsOf(bounds)}`)
  print(
    `  ${grouped(found.states)} states, ${grouped(found.steps)} steps, depth ${found.depth}, ${seconds} s; ` +
      `${Object.keys(PROPERTIES).length} properties`,
  )
  if (found.violation === undefined) {
    print(
      found.isComplete ? '  every property holds in every state' : '  given up: not all states were visited',
    )
    return found.isComplete
  }
  const { property, story } = found.violation
  print(`  BROKEN: ${PROPERTIES[property]}`)
  for (const [index, line] of story.entries()) print(`  ${String(index + 1).padStart(3)}. ${line}`)
  if (property === 'ends') print('       From here no end can be reached without further faults.')
  return false
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}

function wordsOf(bounds: Bounds): string {
  const { nodes, payments, requests, attempts, sendings, faults, faultKinds, operators, voids } = bounds
  const kinds = faultKinds.length === 0 ? 'no faults' : `${faults} of ${faultKinds.join(', ')}`
  return (
    `${nodes} nodes, ${payments} payment${payments === 1 ? '' : 's'}, ${requests} requests each, ` +
    `${attempts} attempts, ${sendings} sendings, ${operators} decisions, ${voids} voids, ${kinds}` +
    (bounds.flaw === undefined ? '' : `; broken: ${FLAWS[bounds.flaw]}`)
  )
}
