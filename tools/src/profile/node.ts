import { readFileSync } from 'node:fs'
import type { Profiler } from 'node:inspector'
import { median } from '../bench/measure.ts'
import type { Frame } from './stages.ts'
import { fileOf, stageOf } from './stages.ts'

/** Sums of microseconds by name. */
export type Sums = Map<string, number>

export type Profile = { stages: Sums; functions: Sums }

type Recorded = Profiler.Profile & { samples: number[]; timeDeltas: number[] }

/** A sample that comes this much later than planned follows a time in which the process did not run. */
const GAP = 4

/**
 * Reads a CPU profile of V8. Returns the microseconds of each stage and of each function (its own time only). V8 samples
 * by the clock on the wall: a sample after a gap says where the process was when another one took its place, so it is
 * left out.
 */
export function readProfile(path: string): Profile {
  const profile = JSON.parse(readFileSync(path, 'utf8')) as Recorded
  const stacks = stacksOf(profile)
  const interval = intervalOf(profile)
  const stages: Sums = new Map()
  const functions: Sums = new Map()
  for (const [index, id] of profile.samples.entries()) {
    const micros = profile.timeDeltas[index] ?? 0
    const stack = stacks.get(id) ?? []
    if (micros > interval * GAP || isOutside(stack)) continue
    add(stages, stageOf(stack), micros)
    add(functions, nameOf(stack), micros)
  }
  return { stages, functions }
}

/** Samples without JavaScript on the stack, and those of the profiler itself. */
function isOutside(stack: Frame[]) {
  return stack[0]?.functionName === '(idle)' || stack.some(({ url }) => url.startsWith('node:inspector'))
}

function stacksOf({ nodes }: Recorded) {
  const parents = new Map<number, Profiler.ProfileNode>()
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node)
  return new Map(
    nodes.map((node) => {
      const stack: Frame[] = []
      for (let at: Profiler.ProfileNode | undefined = node; at !== undefined; at = parents.get(at.id))
        stack.push(at.callFrame)
      return [node.id, stack] as const
    }),
  )
}

function intervalOf({ timeDeltas }: Recorded) {
  return median(timeDeltas)
}

/** Names a function with its file; a function of C++ has none, and is named with its caller. */
function nameOf([leaf, caller]: Frame[]) {
  if (leaf === undefined) return ''
  if (leaf.url !== '' || caller === undefined || leaf.functionName.startsWith('('))
    return `${leaf.functionName || '(anonymous)'} ${fileOf(leaf.url)}`.trim()
  return `${leaf.functionName || '(native)'} ← ${caller.functionName} ${fileOf(caller.url)}`
}

export function add(sums: Sums, key: string, value: number) {
  sums.set(key, (sums.get(key) ?? 0) + value)
}
