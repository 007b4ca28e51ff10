import { fingerprint, normalise } from './normal.ts'
import type { Property } from './properties.ts'
import { isSettled, judgeState, judgeStep, PROPERTIES } from './properties.ts'
import { listSteps } from './steps.ts'
import { firstWorld } from './world.ts'
import type { Bounds, World } from './world.types.ts'

export type Violation = {
  readonly property: Property
  /** Steps from the beginning, as few as possible, in plain words. */
  readonly story: readonly string[]
}

export type Exploration = {
  readonly states: number
  readonly steps: number
  /** Steps of the longest of all shortest ways to a state. */
  readonly depth: number
  /** False: the limit of states was reached, or a violation ended the search. */
  readonly isComplete: boolean
  readonly violation: Violation | undefined
}

/** Graph of the states that were reached. A state is known by its number; number 0 is the beginning. */
type Graph = {
  readonly numbers: Map<number, number>
  readonly parents: number[]
  /** Place of the step among all steps of the parent. */
  readonly choices: number[]
  /** Steps that are no faults, as pairs of states. */
  readonly from: number[]
  readonly to: number[]
  readonly settled: number[]
  steps: number
}

type Found = { readonly number: number; readonly world: World }

export type Search = {
  /** States after which the search is given up. */
  readonly statesMax?: number
  /** Properties that are judged; by default all. */
  readonly properties?: readonly Property[]
  readonly onState?: (world: World) => void
}

const STATES_MAX = 5_000_000
const ALL = Object.keys(PROPERTIES) as Property[]

/**
 * Visits every state that can be reached within the bounds, the nearest first. The first violation is therefore told in
 * the fewest steps. Afterwards the graph is walked backwards from the settled states: a state that none of them is
 * reached from can never end.
 */
export function explore(bounds: Bounds, search: Search = {}): Exploration {
  const { statesMax = STATES_MAX, properties = ALL } = search
  const first = normalise(firstWorld(bounds), bounds).world
  const graph: Graph = {
    numbers: new Map([[fingerprint(first), 0]]),
    parents: [-1],
    choices: [-1],
    from: [],
    to: [],
    settled: isSettled(first) ? [0] : [],
    steps: 0,
  }
  let level: Found[] = [{ number: 0, world: first }]
  let depth = 0
  const report = (isComplete: boolean, violation?: Violation): Exploration => ({
    states: graph.parents.length,
    steps: graph.steps,
    depth,
    isComplete,
    violation,
  })
  while (level.length > 0) {
    const next: Found[] = []
    for (const found of level) {
      const violation = expand(graph, found, { bounds, properties, onState: search.onState }, next)
      if (violation !== undefined) return report(false, violation)
    }
    if (graph.parents.length > statesMax) return report(false)
    if (next.length > 0) depth += 1
    level = next
  }
  const endless = properties.includes('ends') ? findEndless(graph) : undefined
  if (endless === undefined) return report(true)
  return report(true, { property: 'ends', story: tellStory(graph, endless, bounds) })
}

type Judging = {
  readonly bounds: Bounds
  readonly properties: readonly Property[]
  readonly onState: Search['onState']
}

function expand(
  graph: Graph,
  { number, world }: Found,
  judging: Judging,
  next: Found[],
): Violation | undefined {
  const { bounds, properties, onState } = judging
  for (const [choice, step] of listSteps(world, bounds).entries()) {
    graph.steps += 1
    const after = normalise(step.next, bounds).world
    const key = fingerprint(after)
    const known = graph.numbers.get(key)
    const reached = known ?? graph.parents.length
    if (known === undefined) {
      graph.numbers.set(key, reached)
      graph.parents.push(number)
      graph.choices.push(choice)
      if (isSettled(after)) graph.settled.push(reached)
      onState?.(after)
      next.push({ number: reached, world: after })
    }
    if (!step.isFault) {
      graph.from.push(number)
      graph.to.push(reached)
    }
    const broken = [...judgeStep(world, step), ...(known === undefined ? judgeState(after, bounds) : [])]
    const property = broken.find((each) => properties.includes(each))
    if (property !== undefined) return { property, story: tellStory(graph, number, bounds, choice) }
  }
  return undefined
}

/** Finds the first state from which no settled state is reached by steps that are no faults. */
function findEndless(graph: Graph): number | undefined {
  const states = graph.parents.length
  // Steps sorted by the state they lead to: those that lead to state n stand between begins[n] and begins[n + 1].
  const begins = new Int32Array(states + 1)
  for (const to of graph.to) begins[to + 1] = (begins[to + 1] as number) + 1
  for (let n = 0; n < states; n += 1) begins[n + 1] = (begins[n + 1] as number) + (begins[n] as number)
  const places = begins.slice()
  const sources = new Int32Array(graph.to.length)
  for (const [index, to] of graph.to.entries()) {
    const place = places[to] as number
    sources[place] = graph.from[index] as number
    places[to] = place + 1
  }
  const canEnd = new Uint8Array(states)
  const waiting = [...graph.settled]
  for (const number of waiting) canEnd[number] = 1
  for (let number = waiting.pop(); number !== undefined; number = waiting.pop()) {
    for (let place = begins[number] as number; place < (begins[number + 1] as number); place += 1) {
      const source = sources[place] as number
      if (canEnd[source] === 1) continue
      canEnd[source] = 1
      waiting.push(source)
    }
  }
  const endless = canEnd.indexOf(0)
  return endless === -1 ? undefined : endless
}

/** Tells the way to a state, and one step more if it is given. Nodes keep their names through the whole story. */
function tellStory(graph: Graph, number: number, bounds: Bounds, last?: number): string[] {
  const choices = last === undefined ? [] : [last]
  for (let at = number; at > 0; at = graph.parents[at] as number) choices.unshift(graph.choices[at] as number)
  const story: string[] = []
  let world = normalise(firstWorld(bounds), bounds).world
  let names = new Map<number, string>()
  for (const choice of choices) {
    const step = listSteps(world, bounds)[choice]
    if (step === undefined) throw new Error('the story does not follow the graph')
    const name = (node: number) => names.get(node) ?? newName(names, node)
    story.push(step.words(name))
    const { world: after, nodes } = normalise(step.next, bounds)
    names = new Map([...nodes].filter(([node]) => node > 0).map(([from, to]) => [to, name(from)]))
    world = after
  }
  return story
}

function newName(names: Map<number, string>, node: number): string {
  const taken = new Set(names.values())
  const letter = [...'ABCDEFGH'].find((each) => !taken.has(`Node ${each}`)) ?? String(node)
  names.set(node, `Node ${letter}`)
  return `Node ${letter}`
}
