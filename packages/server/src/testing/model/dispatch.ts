import { PROCESSING } from '../../modules/payments/core/states.rules.ts'
import type { PaymentCode } from '../../modules/payments/core/types.ts'
import { begin, isHeld, release } from './rows.ts'
import {
  attemptWords,
  bookOf,
  codeWords,
  commit,
  lifeOf,
  paymentWords,
  settled,
  withBook,
  withRow,
  withTask,
  writeAnswer,
} from './world.ts'
import type { Bounds, DispatchTask, Naming, Step, Task, World } from './world.types.ts'

/** Steps of an order that a node sends (`dispatch.service`, `attempts.service`). */
export function addDispatchSteps(steps: Step[], world: World, task: DispatchTask, bounds: Bounds): void {
  switch (task.stage) {
    case 'ready':
    case 'confirmed':
      addSendingSteps(steps, world, task, bounds)
      return
    case 'sent':
      addTimeout(steps, world, task, bounds)
      return
    case 'given_up_waiting':
      addLateEnd(steps, world, task)
      return
    case 'write':
      addOutcome(steps, world, task, bounds)
      return
    case 'begin':
      addNextAttempt(steps, world, task, bounds)
      return
    case 'note':
      addNote(steps, world, task, bounds)
      return
    case 'conclude':
      addConclusion(steps, world, task, bounds)
      return
    case 'release':
      addRelease(steps, world, task, bounds)
      return
  }
}

/** Changes the stage of a task. The end of its lease matters only until it is sent. */
function goOn(task: DispatchTask, change: Partial<DispatchTask>): Task {
  const clock = change.stage === 'confirmed' ? {} : { isLate: false, still: 'none' }
  return { ...settled(task), ...clock, ...change } as Task
}

function addSendingSteps(steps: Step[], world: World, task: DispatchTask, bounds: Bounds): void {
  const { payment, attempt, lease, node, stage } = task
  const isLate = task.isLate && bounds.flaw !== 'late_send'
  steps.push({
    next: moveOn(world, task, bounds),
    isFault: false,
    words: (name) =>
      `${name(node)} does not send ${attemptWords(payment, attempt)}: ${isLate ? 'its lease has ended by its own clock' : 'the provider is closed, or its turn came too late'}.`,
  })
  if (!task.isRepeat) {
    steps.push({
      next: withTask(world, task, goOn(task, { stage: 'release' })),
      isFault: false,
      words: (name) =>
        `${name(node)} is too slow to send ${attemptWords(payment, attempt)} within its lease.`,
    })
  }
  if (isLate) return
  if (stage === 'ready' && (attempt > 1 || lease > 1)) {
    const { row } = lifeOf(world, payment)
    const isPresent = row !== null && isHeld(row, task)
    steps.push({
      next: withTask(world, task, goOn(task, { stage: isPresent ? 'confirmed' : 'release' })),
      isFault: false,
      words: (name) =>
        `${name(node)} asks the database: ${attemptWords(payment, attempt)} is ${isPresent ? 'still' : 'no longer'} its own.`,
    })
    return
  }
  const { flight } = bookOf(lifeOf(world, payment), attempt)
  const sent = withBook(world, payment, attempt, { flight: flight + 1 })
  steps.push({
    next: withTask(sent, task, goOn(task, { stage: 'sent' })),
    isFault: false,
    words: (name) => `${name(node)} sends ${attemptWords(payment, attempt)} to ${task.provider}.`,
  })
}

/** Goes on after an attempt that certainly did nothing. */
export function moveOn(world: World, task: DispatchTask, bounds: Bounds): World {
  if (task.isRepeat) return withTask(world, task, goOn(task, { stage: 'write', outcome: PROCESSING }))
  const tried = [...task.tried, task.provider].sort()
  const next = bounds.providers.find(({ name }) => !tried.includes(name))
  if (next === undefined || task.attempt >= bounds.attempts) {
    return withTask(world, task, goOn(task, { stage: 'note', tried }))
  }
  const going = withTask(world, task, goOn(task, { stage: 'begin', tried, provider: next.name }))
  return bounds.flaw === 'send_before_commit' ? fly(going, task.payment, task.attempt + 1) : going
}

function fly(world: World, payment: number, attempt: number): World {
  return withBook(world, payment, attempt, { flight: bookOf(lifeOf(world, payment), attempt).flight + 1 })
}

function addTimeout(steps: Step[], world: World, task: DispatchTask, bounds: Bounds): void {
  const { payment, attempt, node } = task
  const words = (name: Naming) =>
    `${name(node)} has no answer about ${attemptWords(payment, attempt)} in time.`
  if (bounds.flaw === 'unknown_moves_on') {
    steps.push({ next: moveOn(world, task, bounds), isFault: false, words })
    return
  }
  const timedOut: Partial<DispatchTask> =
    bounds.flaw === 'refund_on_timeout' ? { stage: 'conclude' } : { stage: 'write', outcome: PROCESSING }
  steps.push({ next: withTask(world, task, goOn(task, timedOut)), isFault: false, words })
}

/** Ends the wait for a late answer. An order that never had a connection is then known not to have been sent. */
function addLateEnd(steps: Step[], world: World, task: DispatchTask): void {
  const { payment, attempt, node } = task
  const { flight } = bookOf(lifeOf(world, payment), attempt)
  steps.push({
    next: withTask(world, task, undefined),
    isFault: false,
    words: (name) => `${name(node)} gives up waiting for ${attemptWords(payment, attempt)}.`,
  })
  if (flight === 0 || task.isRepeat) return
  const dropped = withBook(world, payment, attempt, { flight: flight - 1 })
  steps.push({
    next: withTask(dropped, task, goOn(task, { stage: 'release' })),
    isFault: false,
    words: (name) => `${name(node)} learns late that ${attemptWords(payment, attempt)} never left.`,
  })
}

function addOutcome(steps: Step[], world: World, task: DispatchTask, bounds: Bounds): void {
  const { payment, attempt, lease, node } = task
  const code = task.outcome as PaymentCode
  const isPending = code === PROCESSING
  commit(steps, world, task, bounds, {
    words: (name) => `${name(node)} writes ${codeWords(code)} for ${attemptWords(payment, attempt)}.`,
    run: () => {
      const answer = { code, attempt, lease: isPending ? lease : null }
      const written = writeAnswer(world, payment, answer, bounds, !isPending).world
      const isWaiting = isPending && bookOf(lifeOf(world, payment), attempt).flight > 0
      const next = isWaiting ? goOn(task, { stage: 'given_up_waiting', outcome: null }) : undefined
      return { world: written, next }
    },
  })
}

function addNextAttempt(steps: Step[], world: World, task: DispatchTask, bounds: Bounds): void {
  const { payment, attempt, lease, node, provider } = task
  commit(steps, world, task, bounds, {
    words: (name) => `${name(node)} begins ${attemptWords(payment, attempt + 1)} at ${provider}.`,
    decides: { payment, lease },
    run: () => {
      const { row } = lifeOf(world, payment)
      const command = { attempt, lease, provider, isBegun: true, isRepeat: false }
      const begun = row === null ? undefined : begin(row, command, bounds.flaw)
      if (begun?.lease === undefined) return { world, next: goOn(task, { stage: 'release' }) }
      const isSent = bounds.flaw === 'send_before_commit'
      const next = goOn(task, {
        stage: isSent ? 'sent' : 'ready',
        attempt: attempt + 1,
        lease: begun.lease,
      })
      return { world: withRow(world, payment, begun.row), next }
    },
  })
}

function addNote(steps: Step[], world: World, task: DispatchTask, bounds: Bounds): void {
  const { payment, attempt, lease, node } = task
  commit(steps, world, task, bounds, {
    words: (name) => `${name(node)} notes that no provider is left for ${paymentWords(payment)}.`,
    run: () => {
      const { row } = lifeOf(world, payment)
      const command = { attempt, lease, provider: null, isBegun: false, isRepeat: false }
      const noted = row === null ? world : withRow(world, payment, begin(row, command, bounds.flaw).row)
      return { world: noted, next: goOn(task, { stage: 'conclude' }) }
    },
  })
}

function addConclusion(steps: Step[], world: World, task: DispatchTask, bounds: Bounds): void {
  const { payment, attempt, lease, node } = task
  commit(steps, world, task, bounds, {
    words: (name) => `${name(node)} concludes that ${paymentWords(payment)} failed (47).`,
    decides: { payment, lease },
    run: () => {
      const told = writeAnswer(world, payment, { code: 47, attempt, lease }, bounds, false)
      return { world: told.world, next: told.isMoved ? undefined : goOn(task, { stage: 'release' }) }
    },
  })
}

function addRelease(steps: Step[], world: World, task: DispatchTask, bounds: Bounds): void {
  const { payment, attempt, node } = task
  commit(steps, world, task, bounds, {
    words: (name) => `${name(node)} records that it did not send ${attemptWords(payment, attempt)}.`,
    run: () => {
      const { row } = lifeOf(world, payment)
      const released = row === null ? world : withRow(world, payment, release(row, task))
      return { world: released, next: undefined }
    },
  })
}
