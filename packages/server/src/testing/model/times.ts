import { SUCCEEDED } from '../../modules/payments/core/states.rules.ts'
import { changeOpen, hold } from './rows.ts'
import type { OpenAttempt, Work } from './rows.types.ts'
import { decisionOf } from './supplier.ts'
import {
  addTask,
  attemptWords,
  bookOf,
  lifeOf,
  mayFail,
  paymentWords,
  withBook,
  withRow,
  withTask,
  writeAnswer,
} from './world.ts'
import type { Book, Bounds, DispatchTask, OperatorTask, Step, Task, World } from './world.types.ts'

/** Steps of time: leases end, questions fall due, and "not found" becomes a proof. */
export function addTimeSteps(steps: Step[], world: World, bounds: Bounds): void {
  for (const [payment, { row }] of world.lives.entries()) {
    if (row?.work != null) addWorkTimes(steps, world, payment, row.work, bounds)
    for (const open of row?.open ?? []) addOpenTimes(steps, world, payment, open, bounds)
  }
}

function addWorkTimes(steps: Step[], world: World, payment: number, work: Work, bounds: Bounds): void {
  const { row } = lifeOf(world, payment)
  if (row === null) return
  const put = (change: Partial<Work>) => withRow(world, payment, { ...row, work: { ...work, ...change } })
  const about = paymentWords(payment)
  if (!work.isDue || work.isEarly) {
    const due = put({ isDue: true, isEarly: false })
    steps.push({
      next: work.isLeased ? endLease(due, payment, work.lease, bounds) : due,
      isFault: false,
      words: () =>
        work.isLeased ? `Time passes: the lease of ${about} ends.` : `A question about ${about} falls due.`,
    })
  }
  if (!work.isProven && mayProve(world, payment, work, bounds)) {
    steps.push({
      next: put({ isProven: true }),
      isFault: false,
      words: () => `Time passes: an order of ${attemptWords(payment, work.attempt)} cannot arrive any more.`,
    })
  }
  if (work.isLeased && !work.isDue && mayFail(world, bounds, 'step')) {
    steps.push({
      next: { ...put({ isDue: true, isEarly: true }), faults: world.faults - 1 },
      isFault: true,
      words: () => `Somebody sets the database's clock forward: the lease of ${about} seems to have ended.`,
    })
  }
}

/** Ends a lease for its holder as well, by the holder's own clocks, unless they do not show it. */
function endLease(world: World, payment: number, lease: number, bounds: Bounds): World {
  const end = (task: Task): Task =>
    isUnsentYet(task) && task.payment === payment && task.lease === lease && seesTime(task, bounds)
      ? { ...task, isLate: true }
      : task
  return { ...world, tasks: world.tasks.map(end) }
}

/** Tells whether a node sees the time that has passed: one clock that went on is enough (`lib/lease-time`). */
function seesTime({ still }: DispatchTask, { flaw }: Bounds): boolean {
  return still === 'none' || (still === 'monotonic' && flaw !== 'suspension_unseen')
}

function isUnsentYet(task: Task): task is DispatchTask {
  return task.kind === 'dispatch' && (task.stage === 'ready' || task.stage === 'confirmed')
}

/**
 * Tells whether enough time may have passed since the last sending: no order is on its way, the first lease has ended,
 * and every node that may send the attempt knows by its own clock that it is late.
 */
function mayProve(world: World, payment: number, work: Work, bounds: Bounds): boolean {
  const { flaw } = bounds
  const { attempt, lease, isLeased, isDue } = work
  if (!isProofWanted(bookOf(lifeOf(world, payment), attempt), bounds)) return false
  if (flaw === 'clock_believed' && work.isEarly) return true
  if (lease === 1 && isLeased && !isDue) return false
  return !world.tasks.some((task) => isAboutToSend(task, payment, attempt, bounds))
}

/** Tells whether a supplier could say "not found" of an order of which none is on its way. */
function isProofWanted({ state, flight }: Book, { faultKinds }: Bounds): boolean {
  return flight === 0 && (state === 'none' || state === 'declined' || faultKinds.includes('forget'))
}

function isAboutToSend(task: Task, payment: number, attempt: number, bounds: Bounds): boolean {
  if (!isUnsentYet(task) || task.payment !== payment || task.attempt !== attempt) return false
  return !task.isLate && seesTime(task, bounds)
}

function addOpenTimes(steps: Step[], world: World, payment: number, open: OpenAttempt, bounds: Bounds): void {
  const { row } = lifeOf(world, payment)
  if (row === null) return
  const { attempt } = open
  const about = `the open ${attemptWords(payment, attempt)}`
  const put = (change: Partial<OpenAttempt>) =>
    withRow(world, payment, changeOpen(row, { ...open, ...change }))
  if (!open.isDue) {
    const due = put({ isDue: true })
    steps.push({
      next: open.isLeased ? endLease(due, payment, open.lease, bounds) : due,
      isFault: false,
      words: () => `Time passes: a question about ${about} falls due.`,
    })
  }
  const isWanted = isProofWanted(bookOf(lifeOf(world, payment), attempt), bounds)
  const isSending = world.tasks.some((task) => isAboutToSend(task, payment, attempt, bounds))
  if (!open.isProven && isWanted && !isSending) {
    steps.push({
      next: put({ isProven: true }),
      isFault: false,
      words: () => `Time passes: an order of ${about} cannot arrive any more.`,
    })
  }
}

/** Steps of nodes that die, or whose own clocks stand still. */
export function addNodeFaults(steps: Step[], world: World, bounds: Bounds): void {
  const nodes = new Set(world.tasks.map(({ node }) => node).filter((node) => node > 0))
  for (const node of nodes) {
    if (mayFail(world, bounds, 'crash')) {
      const tasks = world.tasks.filter((task) => task.node !== node)
      steps.push({
        next: { ...world, tasks, faults: world.faults - 1 },
        isFault: true,
        words: (name) => `${name(node)} dies.`,
      })
    }
    if (mayFail(world, bounds, 'suspend')) {
      const words: Step['words'] = (name) =>
        `The machine of ${name(node)} is suspended, and its monotonic clock with it.`
      addStandstill(steps, world, node, 'monotonic', words)
    }
    if (mayFail(world, bounds, 'stop')) {
      const words: Step['words'] = (name) =>
        `The virtual machine of ${name(node)} is stopped, and all its clocks with it.`
      addStandstill(steps, world, node, 'all', words)
    }
  }
}

function addStandstill(
  steps: Step[],
  world: World,
  node: number,
  still: DispatchTask['still'],
  words: Step['words'],
): void {
  const isAwake = (task: Task): task is DispatchTask =>
    isUnsentYet(task) && task.node === node && task.still !== still && !task.isLate
  if (!world.tasks.some(isAwake)) return
  const tasks = world.tasks.map((task) => (isAwake(task) ? { ...task, still } : task))
  steps.push({ next: { ...world, tasks, faults: world.faults - 1 }, isFault: true, words })
}

/** Steps in which an operator begins: to decide about an unfinished payment, or to void one that succeeded. */
export function addOperatorBegins(steps: Step[], world: World): void {
  for (const [payment, { row, books }] of world.lives.entries()) {
    if (row === null) continue
    if (world.operators > 0 && row.work !== null) {
      const task: Task = { kind: 'operator', node: 0, payment, attempt: row.work.attempt }
      steps.push({
        next: addTask({ ...world, operators: world.operators - 1 }, task),
        isFault: false,
        words: () => `An operator looks at ${paymentWords(payment)}.`,
      })
    }
    const succeeded = row.code === SUCCEEDED ? row.ended?.attempt : null
    if (world.voids > 0 && succeeded != null && books[succeeded - 1]?.state === 'done') {
      const task: Task = { kind: 'void', node: 0, payment, attempt: succeeded }
      const approved = withBook(world, payment, succeeded, { isVoided: true })
      steps.push({
        next: addTask({ ...approved, voids: world.voids - 1 }, task),
        isFault: false,
        words: () => `The supplier approves the void of ${paymentWords(payment)}.`,
      })
    }
  }
}

export function addOperatorSteps(steps: Step[], world: World, task: OperatorTask, bounds: Bounds): void {
  const { payment, attempt } = task
  if (task.kind === 'void') {
    const answer = { code: 53, attempt: null, lease: null } as const
    const voided = writeAnswer(world, payment, answer, bounds, false)
    steps.push({
      next: withTask(voided.world, task, undefined),
      isFault: false,
      words: () => `The void of ${paymentWords(payment)} is written.`,
    })
    return
  }
  steps.push({
    next: decide(world, task, bounds),
    isFault: false,
    words: () => `The operator decides about ${attemptWords(payment, attempt)} by what the supplier says.`,
  })
}

/** Decides as the supplier's books say at this moment. Refused while a node holds the payment. */
function decide(world: World, task: OperatorTask, bounds: Bounds): World {
  const { payment, attempt } = task
  const life = lifeOf(world, payment)
  const held = life.row === null ? undefined : hold(life.row)
  const book = bookOf(life, attempt)
  const isAbsent = book.state === 'none' && life.row?.work?.attempt === attempt && life.row.work.isProven
  const code = isAbsent ? 47 : decisionOf(book)
  const done = withTask(world, task, undefined)
  if (held === undefined || code === undefined) return done
  const answer = { code: code === SUCCEEDED ? code : (47 as const), attempt, lease: null }
  const written = writeAnswer(withRow(done, payment, held), payment, answer, bounds, true).world
  return book.state === 'declined' ? withBook(written, payment, attempt, { state: 'failed' }) : written
}
