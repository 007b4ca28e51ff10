import { isOwn, newRow } from './rows.ts'
import { addTask, codeWords, commit, freeNodes, lifeOf, paymentWords, withLife, withTask } from './world.ts'
import type { Bounds, DispatchTask, Life, RequestTask, Step, Task, World } from './world.types.ts'

/** Steps of clients and of the intake (`take_payments`). */
export function addClientSteps(steps: Step[], world: World, bounds: Bounds): void {
  for (const [payment, life] of world.lives.entries()) {
    if (life.asked >= bounds.requests) continue
    for (const node of freeNodes(world, bounds)) {
      const signed = life.asked + 1
      const task: RequestTask = { kind: 'request', node, payment, signed, stage: 'look', isOutranked: false }
      steps.push({
        next: addTask(withLife(world, payment, { asked: signed }), task),
        isFault: false,
        words: (name) =>
          `The client sends ${paymentWords(payment)}${signed > 1 ? ' again' : ''} to ${name(node)}.`,
      })
    }
  }
}

export function addRequestSteps(steps: Step[], world: World, task: RequestTask, bounds: Bounds): void {
  const { payment, node } = task
  const life = lifeOf(world, payment)
  if (task.stage === 'take') {
    addTakeSteps(steps, world, task, bounds)
    return
  }
  if (life.row !== null) {
    addExistingStep(steps, world, task, bounds)
    return
  }
  const looked = withTask(world, task, { ...task, stage: 'take' })
  const isEarly = bounds.flaw === 'answer_before_commit'
  steps.push({
    next: isEarly ? withLife(looked, payment, { told: 0 }) : looked,
    isFault: false,
    words: (name) =>
      `${name(node)} looks for the refid of ${paymentWords(payment)} and finds nothing${isEarly ? '; it answers Accepted' : ''}.`,
  })
}

function addExistingStep(steps: Step[], world: World, task: RequestTask, bounds: Bounds): void {
  const { payment, node } = task
  const { row } = lifeOf(world, payment)
  if (row === null) return
  const answered = withLife(withTask(world, task, undefined), payment, { told: row.code })
  const again = orderTask(node, payment, bounds, 1)
  const isSent = bounds.flaw === 'retry_sends_again' && row.work !== null
  steps.push({
    next: isSent ? addTask(answered, again) : answered,
    isFault: false,
    words: (name) =>
      `${name(node)} finds ${paymentWords(payment)} and answers ${codeWords(row.code)}${isSent ? '; it sends the order again' : ''}.`,
  })
}

function addTakeSteps(steps: Step[], world: World, task: RequestTask, bounds: Bounds): void {
  const { payment, signed, node } = task
  const life = lifeOf(world, payment)
  if (life.row !== null && isOwn(life.row, signed)) {
    const next = orderTask(node, payment, bounds, life.row.work?.attempt ?? 1)
    const words = () => `The same batch runs again, and finds ${paymentWords(payment)} as its own.`
    const answered = (after: World) => tellCreated(after, payment)
    commit(steps, world, task, bounds, { words, run: () => ({ world, next }), answered })
    return
  }
  if (life.row !== null && bounds.flaw !== 'no_second_look') {
    addExistingStep(steps, world, task, bounds)
    return
  }
  const isOutranked = (task.isOutranked || life.rejected > signed) && bounds.flaw !== 'rejection_forgotten'
  if (isOutranked || bounds.rejects || world.balance < 1) addRejection(steps, world, task, bounds)
  if (!isOutranked && world.balance >= 1) addCreation(steps, world, task, bounds, life)
}

function addRejection(steps: Step[], world: World, task: RequestTask, bounds: Bounds): void {
  const { payment, signed, node } = task
  const rejected = Math.max(lifeOf(world, payment).rejected, signed)
  const outrank = (each: Task): Task =>
    each.kind === 'request' && each.payment === payment ? { ...each, isOutranked: true } : each
  commit(steps, world, task, bounds, {
    words: (name) => `${name(node)} rejects ${paymentWords(payment)}, and remembers it.`,
    run: () => {
      const noted = withLife(world, payment, { rejected })
      // The task is found by its identity afterwards, so it stays as it is.
      const tasks = noted.tasks.map((each) => (each === task ? each : outrank(each)))
      return { world: { ...noted, tasks }, next: undefined }
    },
    answered: (after) => withLife(after, payment, { toldNo: signed }),
  })
}

function addCreation(steps: Step[], world: World, task: RequestTask, bounds: Bounds, life: Life): void {
  const { payment, signed, node } = task
  commit(steps, world, task, bounds, {
    words: (name) => `${name(node)} takes ${paymentWords(payment)}: its cost leaves the wallet.`,
    run: () => {
      const row = life.row ?? newRow(firstProvider(bounds), signed)
      const taken = withLife(world, payment, { row, charges: life.charges + 1 })
      return {
        world: { ...taken, balance: taken.balance - 1 },
        next: orderTask(node, payment, bounds, 1),
      }
    },
    answered: (after) => tellCreated(after, payment),
  })
}

/** Tells the client of the new payment. From then on nobody needs to know which request created it. */
function tellCreated(world: World, payment: number): World {
  const { row } = lifeOf(world, payment)
  const work = row?.work == null ? null : { ...row.work, request: 0 }
  return withLife(world, payment, { told: 0, row: row === null ? null : { ...row, work } })
}

function firstProvider({ providers }: Bounds): string {
  return providers[0]?.name ?? ''
}

/** First sending of a payment, by the node that took it. */
function orderTask(node: number, payment: number, bounds: Bounds, attempt: number): DispatchTask {
  return {
    kind: 'dispatch',
    node,
    payment,
    attempt,
    lease: 1,
    provider: firstProvider(bounds),
    isRepeat: false,
    tried: [],
    stage: 'ready',
    outcome: null,
    isLate: false,
    still: 'none',
  }
}
