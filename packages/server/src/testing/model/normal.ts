import { isNodeKnown } from './world.ts'
import type { Bounds, Life, Task, World } from './world.types.ts'

/**
 * State in its normal form: states that differ only in the names of nodes, in the order of tasks or in the numbers of
 * leases are one. Leases are compared, never counted, so they are numbered anew in their order; the first lease keeps
 * its number, because a first sending is recognised by it.
 */
export type Normal = {
  readonly world: World
  /** New name of each node, by its old one. */
  readonly nodes: ReadonlyMap<number, number>
}

export function normalise(world: World, bounds: Bounds): Normal {
  const ranked = world.lives.reduce<World>((each, _, payment) => rankLeases(each, payment), world)
  const inOrder = [...ranked.tasks].sort((a, b) => compare(taskText(a), taskText(b)) || a.node - b.node)
  const nodes = new Map<number, number>([[0, 0]])
  const isKnown = isNodeKnown(world, bounds)
  let last = 0
  const named = inOrder.map((task) => {
    if (task.node === 0) return task
    const found = isKnown ? nodes.get(task.node) : undefined
    if (found === undefined) last += 1
    const node = found ?? last
    nodes.set(task.node, node)
    return node === task.node ? task : { ...task, node }
  })
  return { world: { ...ranked, tasks: named }, nodes }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

// Texts of parts that most steps leave as they are. Nothing is changed in place, so a text stays true.
const taskTexts = new WeakMap<Task, string>()
const lifeTexts = new WeakMap<Life, string>()

/** Returns the text of a task without its node. */
function taskText(task: Task): string {
  const known = taskTexts.get(task)
  if (known !== undefined) return known
  const text = JSON.stringify({ ...task, node: 0 })
  taskTexts.set(task, text)
  return text
}

function lifeText(life: Life): string {
  const known = lifeTexts.get(life)
  if (known !== undefined) return known
  const text = JSON.stringify(life)
  lifeTexts.set(life, text)
  return text
}

/** Returns a text that says everything about a state. */
function worldText({ faults, operators, voids, balance, lives, tasks }: World): string {
  let text = `${faults} ${operators} ${voids} ${balance}`
  for (const life of lives) text += lifeText(life)
  for (const task of tasks) text += `${task.node}${taskText(task)}`
  return text
}

function leaseOf(task: Task): number {
  return 'lease' in task ? task.lease : 1
}

function rankLeases(world: World, payment: number): World {
  const life = world.lives[payment] as Life
  const { row } = life
  if (row === null) return world
  const used = [
    row.work?.lease ?? 1,
    ...row.open.map(({ lease }) => lease),
    ...world.tasks.filter((task) => task.payment === payment).map(leaseOf),
  ]
  const inOrder = [...new Set(used)].filter((lease) => lease > 1).sort((a, b) => a - b)
  const isRanked = inOrder.every((lease, index) => lease === index + 2)
  if (isRanked) return world
  const rank = (lease: number) => (lease > 1 ? inOrder.indexOf(lease) + 2 : lease)
  const work = row.work === null ? null : { ...row.work, lease: rank(row.work.lease) }
  const open = row.open.map((each) => ({ ...each, lease: rank(each.lease) }))
  const tasks = world.tasks.map((task) =>
    task.payment === payment && 'lease' in task ? { ...task, lease: rank(task.lease) } : task,
  )
  const lives = world.lives.map((each) => (each === life ? { ...life, row: { ...row, work, open } } : each))
  return { ...world, lives, tasks }
}

const [SEED_A, SEED_B] = [0xdeadbeef, 0x41c6ce57]
const [MIX_A, MIX_B] = [2_654_435_761, 1_597_334_677]

/**
 * Returns a number of 53 bits that stands for the state (cyrb53). Two states with one number would be taken for one; the
 * chance of that is below one in a thousand for four million states.
 */
export function fingerprint(world: World): number {
  const text = worldText(world)
  let a = SEED_A
  let b = SEED_B
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index)
    a = Math.imul(a ^ unit, MIX_A)
    b = Math.imul(b ^ unit, MIX_B)
  }
  a = Math.imul(a ^ (a >>> 16), 2_246_822_507) ^ Math.imul(b ^ (b >>> 13), 3_266_489_909)
  b = Math.imul(b ^ (b >>> 16), 2_246_822_507) ^ Math.imul(a ^ (a >>> 13), 3_266_489_909)
  return 4_294_967_296 * (2_097_151 & b) + (a >>> 0)
}
