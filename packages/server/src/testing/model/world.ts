import type { PaymentCode } from '../../modules/payments/core/types.ts'
import { resolve } from './rows.ts'
import type { Answer, Row } from './rows.types.ts'
import type { Book, Bounds, Fault, Life, Naming, Step, Task, World } from './world.types.ts'

// Changes of the world that all actors share. Nothing is changed in place.

const NEW_LIFE: Life = {
  asked: 0,
  told: null,
  toldNo: 0,
  rejected: 0,
  row: null,
  charges: 0,
  refunds: 0,
  books: [],
}

export function firstWorld(bounds: Bounds): World {
  return {
    faults: bounds.faults,
    operators: bounds.operators,
    voids: bounds.voids,
    balance: bounds.funds,
    lives: Array.from({ length: bounds.payments }, () => NEW_LIFE),
    tasks: [],
  }
}

export function lifeOf(world: World, payment: number): Life {
  return world.lives[payment] as Life
}

export function withLife(world: World, payment: number, change: Partial<Life>): World {
  const lives = world.lives.map((life, index) => (index === payment ? { ...life, ...change } : life))
  return { ...world, lives }
}

export function withRow(world: World, payment: number, row: Row): World {
  return withLife(world, payment, { row })
}

export function withTask(world: World, task: Task, next: Task | undefined): World {
  const others = world.tasks.filter((each) => each !== task)
  return { ...world, tasks: next === undefined ? others : [...others, next] }
}

export function addTask(world: World, task: Task): World {
  return { ...world, tasks: [...world.tasks, task] }
}

const NO_BOOK: Book = { state: 'none', acts: 0, isVoided: false, isLie: false, flight: 0, heard: [] }

export function bookOf({ books }: Life, attempt: number): Book {
  return books[attempt - 1] ?? NO_BOOK
}

export function withBook(world: World, payment: number, attempt: number, change: Partial<Book>): World {
  const life = lifeOf(world, payment)
  const length = Math.max(life.books.length, attempt)
  const books = Array.from({ length }, (_, index) => bookOf(life, index + 1))
  books[attempt - 1] = { ...bookOf(life, attempt), ...change }
  return withLife(world, payment, { books })
}

/** Tells whether it matters which tasks are of one node: only while a node may still fail. */
export function isNodeKnown(world: World, bounds: Bounds): boolean {
  const ofNodes = ['crash', 'suspend', 'stop'] as const
  return ofNodes.some((fault) => mayFail(world, bounds, fault))
}

/**
 * Lists the nodes that may begin something: all that are at work, and one that is not. While no node can fail, every task
 * has a node of its own: another choice would change nothing.
 */
export function freeNodes(world: World, bounds: Bounds): number[] {
  const { nodes, tasks } = bounds
  if (world.tasks.length >= tasks) return []
  const busy = world.tasks.reduce((most, { node }) => Math.max(most, node), 0)
  if (!isNodeKnown(world, bounds)) return [busy + 1]
  return Array.from({ length: Math.min(nodes, busy + 1) }, (_, index) => index + 1)
}

export type Written = { readonly world: World; readonly isMoved: boolean }

/** Writes an answer. `isHeard`: the supplier itself decided, and has said so now. */
export function writeAnswer(
  world: World,
  payment: number,
  answer: Answer,
  { flaw }: Bounds,
  isHeard: boolean,
): Written {
  const { row, refunds } = lifeOf(world, payment)
  if (row === null) return { world, isMoved: false }
  const resolved = resolve(row, answer, flaw)
  const refund = resolved.isRefunded ? 1 : 0
  const written = withLife(world, payment, { row: resolved.row, refunds: refunds + refund })
  const paid = { ...written, balance: written.balance + refund }
  return { world: isHeard ? hear(paid, payment, answer) : paid, isMoved: resolved.isMoved }
}

function hear(world: World, payment: number, { attempt, code }: Answer): World {
  if (attempt === null) return world
  const { heard } = bookOf(lifeOf(world, payment), attempt)
  if (heard.includes(code)) return world
  return withBook(world, payment, attempt, { heard: [...heard, code].sort((a, b) => a - b) })
}

/** Result of a statement: the database after it, and the task that goes on when the answer arrives. */
export type Committed = { readonly world: World; readonly next: Task | undefined }

/**
 * Adds the step of a task that writes to the database. When the answer is lost, the same statement runs again; after a
 * second loss the task is given up.
 */
export function commit(
  steps: Step[],
  world: World,
  task: Task,
  bounds: Bounds,
  parts: {
    readonly words: (name: Naming) => string
    readonly run: (world: World) => Committed
    /** Effect that needs the answer, such as the answer to the client. */
    readonly answered?: (world: World) => World
    readonly decides?: Step['decides']
  },
): void {
  const { words, run, answered, decides } = parts
  const { world: written, next } = run(world)
  const after = withTask(written, task, next)
  const guarded = { ...(decides !== undefined && { decides }) }
  steps.push({ next: answered?.(after) ?? after, isFault: false, words, ...guarded })
  if (!mayFail(world, bounds, 'lost')) return
  const again = task.ran === true ? undefined : { ...task, ran: true as const }
  steps.push({
    next: { ...withTask(written, task, again), faults: world.faults - 1 },
    isFault: true,
    words: (name) => `${words(name)} The answer to the commit is lost.`,
    ...guarded,
  })
}

export function mayFail({ faults }: World, { faultKinds }: Bounds, fault: Fault): boolean {
  return faults > 0 && faultKinds.includes(fault)
}

/** Drops the mark of a statement that has run, for a task that goes on. */
export function settled<T extends Task>({ ran: _, ...task }: T): Omit<T, 'ran'> {
  return task
}

const WORDS: Readonly<Record<number, string>> = {
  0: 'Accepted',
  1: 'Processing',
  20: 'Succesful',
  47: 'failed with 47',
  48: 'failed with 48',
  53: 'voided',
}

export function codeWords(code: PaymentCode | null): string {
  return code === null ? 'nothing' : (WORDS[code] ?? `failed with ${code}`)
}

export function paymentWords(payment: number): string {
  return `payment ${payment + 1}`
}

export function attemptWords(payment: number, attempt: number): string {
  return `attempt ${attempt} of payment ${payment + 1}`
}
