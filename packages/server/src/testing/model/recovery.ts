import { PROCESSING } from '../../modules/payments/core/states.rules.ts'
import type { PaymentCode } from '../../modules/payments/core/types.ts'
import { begin, changeOpen, claim, claimOpen, findHeldOpen } from './rows.ts'
import { askSupplier } from './supplier.ts'
import {
  addTask,
  attemptWords,
  bookOf,
  codeWords,
  commit,
  freeNodes,
  lifeOf,
  mayFail,
  paymentWords,
  settled,
  withBook,
  withRow,
  withTask,
  writeAnswer,
} from './world.ts'
import type { Bounds, DispatchTask, RecoveryTask, Step, Task, WatchTask, World } from './world.types.ts'

/** Steps in which nodes claim work whose time has come (`recovery.jobs`). */
export function addClaims(steps: Step[], world: World, bounds: Bounds): void {
  for (const [payment, { row }] of world.lives.entries()) {
    if (row === null) continue
    const claimed = claim(row, bounds.flaw)
    for (const node of freeNodes(world, bounds)) {
      if (claimed?.work != null) {
        const { attempt, lease, repeats, isUnsent, isProven } = claimed.work
        const known = { attempt, lease, repeats, isUnsent, isProven }
        const task: Task = {
          kind: 'recovery',
          node,
          payment,
          ...known,
          stage: 'claimed',
          outcome: null,
          next: null,
        }
        steps.push({
          next: addTask(withRow(world, payment, claimed), task),
          isFault: false,
          words: (name) => `${name(node)} takes ${paymentWords(payment)} over.`,
        })
      }
      addOpenClaims(steps, world, payment, node)
    }
  }
}

function addOpenClaims(steps: Step[], world: World, payment: number, node: number): void {
  const { row } = lifeOf(world, payment)
  for (const { attempt } of row?.open ?? []) {
    const claimed = row === null ? undefined : claimOpen(row, attempt)
    const held = claimed?.open.find((each) => each.attempt === attempt)
    if (claimed === undefined || held === undefined) continue
    const { lease, isProven } = held
    const task: Task = {
      kind: 'watch',
      node,
      payment,
      attempt,
      lease,
      isProven,
      stage: 'claimed',
      outcome: null,
    }
    steps.push({
      next: addTask(withRow(world, payment, claimed), task),
      isFault: false,
      words: (name) => `${name(node)} takes the open ${attemptWords(payment, attempt)} over.`,
    })
  }
}

export function addRecoverySteps(steps: Step[], world: World, task: RecoveryTask, bounds: Bounds): void {
  switch (task.stage) {
    case 'claimed':
      addQuestion(steps, world, task, bounds)
      return
    case 'write':
      addAnswerWritten(steps, world, task, bounds)
      return
    case 'begin':
      addSending(steps, world, task, bounds)
      return
    case 'note':
      addNote(steps, world, task, bounds)
      return
    case 'conclude':
      addConclusion(steps, world, task, bounds)
      return
  }
}

function goOn(task: RecoveryTask, change: Partial<RecoveryTask>): Task {
  return { ...settled(task), ...change } as Task
}

function addQuestion(steps: Step[], world: World, task: RecoveryTask, bounds: Bounds): void {
  const { payment, attempt, node } = task
  if (task.isUnsent && task.repeats === 0) {
    addElsewhere(steps, world, task, bounds, 'was not sent')
    return
  }
  const book = bookOf(lifeOf(world, payment), attempt)
  const answer = askSupplier(book)
  if (answer === 'not_found') {
    addNotFound(steps, world, task, bounds)
    return
  }
  steps.push({
    next: hearAnswer(world, task, answer, bounds),
    isFault: false,
    words: (name) => `${name(node)} asks about ${attemptWords(payment, attempt)}: ${codeWords(answer)}.`,
  })
  if (!mayFail(world, bounds, 'forget')) return
  const lied = withBook({ ...world, faults: world.faults - 1 }, payment, attempt, { isLie: true })
  const denied: Step[] = []
  addNotFound(denied, lied, task, bounds)
  for (const step of denied)
    steps.push({ ...step, isFault: true, words: (name) => `Falsely: ${step.words(name)}` })
}

/**
 * Takes an answer. A decision is written at once: a node that writes it later does what a callback does, and callbacks
 * come at any time. "Undecided" is written in a step of its own, because the lease may be lost until then.
 */
function hearAnswer(world: World, task: RecoveryTask, code: PaymentCode, bounds: Bounds): World {
  const { payment, attempt } = task
  if (code === PROCESSING) return withTask(world, task, goOn(task, { stage: 'write', outcome: code }))
  const written = writeAnswer(world, payment, { code, attempt, lease: null }, bounds, true).world
  return withTask(written, task, undefined)
}

/** Handles "not found": after enough time it proves that the order may be sent again. */
function addNotFound(steps: Step[], world: World, task: RecoveryTask, bounds: Bounds): void {
  const { payment, attempt, node } = task
  const about = attemptWords(payment, attempt)
  if (!task.isProven && bounds.flaw !== 'not_found_proves_at_once') {
    steps.push({
      next: withTask(world, task, goOn(task, { stage: 'write', outcome: PROCESSING })),
      isFault: false,
      words: (name) => `${name(node)} asks about ${about}: not found, which proves nothing yet.`,
    })
    return
  }
  const provider = lifeOf(world, payment).row?.providers[attempt - 1]
  const isRepeatable = bounds.providers.find(({ name }) => name === provider)?.repeats === true
  if (!isRepeatable) {
    addElsewhere(steps, world, task, bounds, 'is not known to the supplier')
    return
  }
  if (isLast(task, bounds)) {
    addGivingUp(steps, world, task, `${about} is not known, and was the last`)
    return
  }
  steps.push({
    next: withTask(world, task, goOn(task, { stage: 'begin', next: null })),
    isFault: false,
    words: (name) => `${name(node)} asks about ${about}: not found, so the same reference may be sent again.`,
  })
}

function isLast({ attempt, repeats, isUnsent }: RecoveryTask, { sendings }: Bounds): boolean {
  return attempt + repeats >= sendings && !isUnsent
}

function addElsewhere(steps: Step[], world: World, task: RecoveryTask, bounds: Bounds, why: string): void {
  const { payment, attempt, node } = task
  const about = `${attemptWords(payment, attempt)} ${why}`
  addGivingUp(steps, world, task, `${about}, and no provider takes it now`)
  if (isLast(task, bounds) || attempt >= bounds.attempts) return
  for (const { name: provider } of bounds.providers) {
    steps.push({
      next: withTask(world, task, goOn(task, { stage: 'begin', next: provider })),
      isFault: false,
      words: (name) => `${name(node)} finds that ${about}: a new attempt goes to ${provider}.`,
    })
  }
}

function addGivingUp(steps: Step[], world: World, task: RecoveryTask, why: string): void {
  steps.push({
    next: withTask(world, task, goOn(task, { stage: 'note' })),
    isFault: false,
    words: (name) => `${name(task.node)} gives up: ${why}.`,
  })
}

function addAnswerWritten(steps: Step[], world: World, task: RecoveryTask, bounds: Bounds): void {
  const { payment, attempt, lease, node } = task
  const code = task.outcome as PaymentCode
  const isPending = code === PROCESSING
  commit(steps, world, task, bounds, {
    words: (name) => `${name(node)} writes ${codeWords(code)} for ${attemptWords(payment, attempt)}.`,
    run: () => {
      const answer = { code, attempt, lease: isPending ? lease : null }
      return { world: writeAnswer(world, payment, answer, bounds, !isPending).world, next: undefined }
    },
  })
}

function addSending(steps: Step[], world: World, task: RecoveryTask, bounds: Bounds): void {
  const { payment, attempt, lease, node, next } = task
  const isRepeat = next === null
  const about = attemptWords(payment, isRepeat ? attempt : attempt + 1)
  commit(steps, world, task, bounds, {
    words: (name) => `${name(node)} records that ${about} is sent${isRepeat ? ' again' : ''}.`,
    decides: { payment, lease },
    run: () => {
      const { row } = lifeOf(world, payment)
      const command = { attempt, lease, provider: next, isBegun: true, isRepeat }
      const begun = row === null ? undefined : begin(row, command, bounds.flaw)
      if (row === null || begun?.lease === undefined) return { world, next: undefined }
      const order: DispatchTask = {
        kind: 'dispatch',
        node,
        payment,
        attempt: isRepeat ? attempt : attempt + 1,
        lease: begun.lease,
        provider: next ?? (row.providers.at(-1) as string),
        isRepeat,
        tried: [],
        stage: 'ready',
        outcome: null,
        isLate: false,
        still: 'none',
      }
      return { world: withRow(world, payment, begun.row), next: order }
    },
  })
}

function addNote(steps: Step[], world: World, task: RecoveryTask, bounds: Bounds): void {
  const { payment, attempt, lease, node } = task
  commit(steps, world, task, bounds, {
    words: (name) => `${name(node)} notes why ${paymentWords(payment)} is given up.`,
    run: () => {
      const { row } = lifeOf(world, payment)
      const command = { attempt, lease, provider: null, isBegun: false, isRepeat: false }
      const noted = row === null ? world : withRow(world, payment, begin(row, command, bounds.flaw).row)
      return { world: noted, next: goOn(task, { stage: 'conclude' }) }
    },
  })
}

function addConclusion(steps: Step[], world: World, task: RecoveryTask, bounds: Bounds): void {
  const { payment, attempt, lease, node } = task
  commit(steps, world, task, bounds, {
    words: (name) => `${name(node)} concludes that ${paymentWords(payment)} failed (47).`,
    decides: { payment, lease },
    run: () => ({
      world: writeAnswer(world, payment, { code: 47, attempt, lease }, bounds, false).world,
      next: undefined,
    }),
  })
}

/** Steps of a node that asks about an open attempt (`open-attempts.service`). */
export function addWatchSteps(steps: Step[], world: World, task: WatchTask, bounds: Bounds): void {
  const { payment, attempt, lease, node } = task
  const about = `the open ${attemptWords(payment, attempt)}`
  const goTo = (change: Partial<WatchTask>) => withTask(world, task, { ...settled(task), ...change } as Task)
  if (task.stage === 'claimed') {
    const answer = askSupplier(bookOf(lifeOf(world, payment), attempt))
    const stage = answer === 'not_found' && task.isProven ? 'close' : 'later'
    const isDecided = answer !== 'not_found' && answer !== PROCESSING
    steps.push({
      next: goTo(isDecided ? { stage: 'write', outcome: answer } : { stage }),
      isFault: false,
      words: (name) =>
        `${name(node)} asks about ${about}: ${answer === 'not_found' ? 'not found' : codeWords(answer)}.`,
    })
    return
  }
  commit(steps, world, task, bounds, {
    words: (name) => `${name(node)} writes ${watchWords(task)} for ${about}.`,
    run: () => {
      const { row } = lifeOf(world, payment)
      if (task.stage === 'write') {
        const answer = { code: task.outcome as PaymentCode, attempt, lease: null }
        return { world: writeAnswer(world, payment, answer, bounds, true).world, next: undefined }
      }
      const held = row === null ? undefined : findHeldOpen(row, attempt, lease)
      if (row === null || held === undefined) return { world, next: undefined }
      const changed =
        task.stage === 'close'
          ? { ...row, open: row.open.filter((each) => each !== held) }
          : changeOpen(row, { ...held, isLeased: false, isDue: false })
      return { world: withRow(world, payment, changed), next: undefined }
    },
  })
}

function watchWords({ stage, outcome }: WatchTask): string {
  if (stage === 'write') return codeWords(outcome)
  return stage === 'close' ? '"never arrived"' : '"ask later"'
}
