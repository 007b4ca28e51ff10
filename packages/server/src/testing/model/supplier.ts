import { PROCESSING, SUCCEEDED } from '../../modules/payments/core/states.rules.ts'
import type { PaymentCode } from '../../modules/payments/core/types.ts'
import { moveOn } from './dispatch.ts'
import {
  attemptWords,
  bookOf,
  codeWords,
  lifeOf,
  mayFail,
  settled,
  withBook,
  withTask,
  writeAnswer,
} from './world.ts'
import type { Book, Bounds, DispatchTask, Life, Naming, Step, World } from './world.types.ts'

const FAILED = 48

/** Steps of the suppliers: orders arrive or are lost, are decided, and are reported by callback. */
export function addSupplierSteps(steps: Step[], world: World, bounds: Bounds): void {
  for (const [payment, life] of world.lives.entries()) {
    for (let attempt = 1; attempt <= life.books.length; attempt += 1) {
      const order = { payment, attempt, book: bookOf(life, attempt) }
      if (order.book.flight > 0) addArrivals(steps, world, order, bounds)
      if (order.book.state === 'pending') addDecisions(steps, world, order)
      addCallback(steps, world, order, bounds)
      addLies(steps, world, order, bounds)
    }
  }
}

type OrderAt = { readonly payment: number; readonly attempt: number; readonly book: Book }

const DECISIONS = ['done', 'failed', 'pending', 'declined'] as const

/**
 * Lets an order arrive: decided at once, kept, or declined without any effect; with or without an answer to the node
 * that waits. A reference that the supplier knows is not decided again, if the supplier promised that.
 */
function addArrivals(steps: Step[], world: World, order: OrderAt, bounds: Bounds): void {
  const { payment, attempt, book } = order
  const landed = withBook(world, payment, attempt, { flight: book.flight - 1 })
  const about = attemptWords(payment, attempt)
  steps.push({ next: landed, isFault: false, words: () => `The order of ${about} is lost on its way.` })
  const isKnown = book.state !== 'none' && book.state !== 'declined'
  if (isKnown && actsOnce(lifeOf(world, payment), attempt, bounds)) {
    addAnswers(steps, landed, order, book.state, bounds, `The order of ${about} arrives once more`)
    return
  }
  for (const state of DECISIONS) {
    const isDone = state === 'done'
    const acts = book.acts + (isDone ? 1 : 0)
    const kept = isKnown && !isDone ? book.state : state
    const decided = withBook(landed, payment, attempt, { state: kept, acts })
    addAnswers(
      steps,
      decided,
      order,
      state,
      bounds,
      `The order of ${about} arrives and is ${stateWords(state)}`,
    )
  }
}

function actsOnce({ row }: Life, attempt: number, { providers }: Bounds): boolean {
  const name = row?.providers[attempt - 1]
  return (providers.find((each) => each.name === name) ?? providers[0])?.repeats === true
}

function stateWords(state: Book['state']): string {
  switch (state) {
    case 'none':
      return 'unknown'
    case 'pending':
      return 'kept for later'
    case 'done':
      return 'carried out'
    case 'failed':
      return 'refused for good'
    case 'declined':
      return 'declined without effect'
  }
}

/** Adds the step in which the waiting node hears the answer, and the one in which it hears nothing. */
function addAnswers(
  steps: Step[],
  world: World,
  { payment, attempt }: OrderAt,
  state: Book['state'],
  bounds: Bounds,
  begun: string,
): void {
  // An order that was declined in silence is the same to everybody as one that was lost.
  if (state !== 'declined') {
    steps.push({ next: world, isFault: false, words: () => `${begun}; the answer does not come back.` })
  }
  const task = world.tasks.find(
    (each): each is DispatchTask =>
      each.kind === 'dispatch' &&
      each.payment === payment &&
      each.attempt === attempt &&
      (each.stage === 'sent' || each.stage === 'given_up_waiting'),
  )
  if (task === undefined) return
  const next = answerTo(world, task, state, bounds)
  if (next === undefined) return
  const isLate = task.stage === 'given_up_waiting'
  steps.push({
    next,
    isFault: false,
    words: (name) => `${begun}; ${name(task.node)} hears it${isLate ? ' late' : ''}.`,
  })
}

function answerTo(world: World, task: DispatchTask, state: Book['state'], bounds: Bounds): World | undefined {
  const isLate = task.stage === 'given_up_waiting'
  const write = (outcome: PaymentCode) =>
    withTask(world, task, { ...(settled(task) as DispatchTask), stage: 'write', outcome })
  switch (state) {
    case 'done':
      return write(SUCCEEDED)
    case 'failed':
      // The failure of a repeated reference may be about this sending alone: the supplier is asked.
      return write(task.isRepeat ? PROCESSING : FAILED)
    case 'pending':
      return isLate ? undefined : write(PROCESSING)
    case 'declined': {
      if (!isLate) return moveOn(world, task, bounds)
      if (task.isRepeat) return undefined
      return withTask(world, task, { ...(settled(task) as DispatchTask), stage: 'release' })
    }
    case 'none':
      return undefined
  }
}

function addDecisions(steps: Step[], world: World, { payment, attempt, book }: OrderAt): void {
  const about = attemptWords(payment, attempt)
  steps.push({
    next: withBook(world, payment, attempt, { state: 'done', acts: book.acts + 1 }),
    isFault: false,
    words: () => `The supplier carries ${about} out.`,
  })
  steps.push({
    next: withBook(world, payment, attempt, { state: 'failed' }),
    isFault: false,
    words: () => `The supplier refuses ${about} for good.`,
  })
}

/** Decision that the supplier reports now. An order that it declined, it reports as failed. */
export function decisionOf({ state }: Book): PaymentCode | undefined {
  if (state === 'done') return SUCCEEDED
  return state === 'failed' || state === 'declined' ? FAILED : undefined
}

function addCallback(steps: Step[], world: World, { payment, attempt, book }: OrderAt, bounds: Bounds): void {
  const code = decisionOf(book)
  const { row } = lifeOf(world, payment)
  // A callback about an attempt that the payment does not have is ignored.
  if (code === undefined || row === null || row.providers[attempt - 1] === undefined) return
  const answer = { code, attempt, lease: null }
  const { world: written } = writeAnswer(world, payment, answer, bounds, true)
  const state = book.state === 'declined' ? 'failed' : book.state
  steps.push({
    next: withBook(written, payment, attempt, { state }),
    isFault: false,
    words: () => `A callback reports ${attemptWords(payment, attempt)} as ${codeWords(code)}.`,
  })
}

/** Answer of a supplier to a question; `not_found` when it does not know the order. */
export function askSupplier(book: Book): PaymentCode | 'not_found' {
  if (book.state === 'none' || book.state === 'declined') return 'not_found'
  return decisionOf(book) ?? PROCESSING
}

function addLies(steps: Step[], world: World, { payment, attempt, book }: OrderAt, bounds: Bounds): void {
  if (!mayFail(world, bounds, 'flip')) return
  const about = attemptWords(payment, attempt)
  const flip = (change: Partial<Book>, words: (name: Naming) => string) =>
    steps.push({
      next: { ...withBook(world, payment, attempt, { ...change, isLie: true }), faults: world.faults - 1 },
      isFault: true,
      words,
    })
  if (book.state === 'failed') {
    flip({ state: 'done', acts: book.acts + 1 }, () => `The supplier carries ${about} out after all.`)
  }
  if (book.state === 'done' && !book.isVoided) {
    flip({ state: 'failed', acts: 0 }, () => `The supplier takes ${about} back, and calls it failed.`)
  }
}
