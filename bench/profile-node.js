import { readFileSync } from 'node:fs'
import { fileOf, stageOf } from './profile-stages.js'

/** A sample that comes this much later than planned follows a time in which the process did not run. */
const GAP = 4

/**
 * Reads a CPU profile of V8. Returns the microseconds of each stage and of each function (its own time only). V8 samples
 * by the clock on the wall: a sample after a gap says where the process was when another one took its place, so it is
 * left out.
 */
export function readProfile(path) {
  const profile = JSON.parse(readFileSync(path, 'utf8'))
  const stacks = stacksOf(profile)
  const interval = intervalOf(profile)
  const stages = new Map()
  const functions = new Map()
  for (const [index, id] of profile.samples.entries()) {
    const micros = profile.timeDeltas[index]
    const stack = stacks.get(id)
    if (micros > interval * GAP || isOutside(stack)) continue
    add(stages, stageOf(stack), micros)
    add(functions, nameOf(stack), micros)
  }
  return { stages, functions }
}

/** Samples without JavaScript on the stack, and those of the profiler itself. */
function isOutside(stack) {
  return stack[0].functionName === '(idle)' || stack.some(({ url }) => url.startsWith('node:inspector'))
}

function stacksOf({ nodes }) {
  const parents = new Map()
  for (const node of nodes) for (const child of node.children ?? []) parents.set(child, node)
  return new Map(
    nodes.map((node) => {
      const stack = []
      for (let at = node; at !== undefined; at = parents.get(at.id)) stack.push(at.callFrame)
      return [node.id, stack]
    }),
  )
}

function intervalOf({ timeDeltas }) {
  const sorted = [...timeDeltas].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

/** Names a function with its file; a function of C++ has none, and is named with its caller. */
function nameOf([leaf, caller]) {
  if (leaf.url !== '' || caller === undefined || leaf.functionName.startsWith('('))
    return `${leaf.functionName || '(anonymous)'} ${fileOf(leaf.url)}`.trim()
  return `${leaf.functionName || '(native)'} ← ${caller.functionName} ${fileOf(caller.url)}`
}

export function add(sums, key, value) {
  sums.set(key, (sums.get(key) ?? 0) + value)
}
