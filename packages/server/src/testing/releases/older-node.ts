import { randomUUID } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import { replay } from './recorder.ts'
import type { Release } from './snapshot.ts'

/** Node of an earlier release: it sends the statements of that release, and knows nothing of later ones. */
export type OlderNode = {
  /** Rounds that it has finished. */
  readonly rounds: number
  readonly taken: number
  readonly refunded: number
  readonly delivered: number
  /** Errors of its statements; it goes on after each. */
  readonly errors: readonly unknown[]
  stop(): Promise<void>
}

const ERRORS_MAX = 20

/** Starts a node that pays, asks, fails and succeeds, numbers events and records deliveries until it is stopped. */
export function startOlderNode(database: Database, { acts }: Pick<Release, 'acts'>): OlderNode {
  const counts = { rounds: 0, taken: 0, refunded: 0, delivered: 0 }
  const errors: unknown[] = []
  let isStopped = false
  const send = (name: string, values: Readonly<Record<string, string>> = {}) =>
    replay(database, acts[name], values)

  async function payOnce(isFailure: boolean): Promise<void> {
    const refid = `OLD-${randomUUID()}`
    const [[created] = []] = await send('take', { refid })
    const id = expectVerdict(created, 'created')
    counts.taken += 1
    const [[existing] = []] = await send('retry', { refid, id })
    if (expectVerdict(existing, 'existing') !== id) throw new Error('the retry found another payment')
    await send('begin', { id })
    await send('ask', { id })
    await send(isFailure ? 'fail' : 'succeed', { id })
    if (isFailure) counts.refunded += 1
  }

  async function deliver(): Promise<void> {
    await send('sequence')
    const [due = []] = await send('due')
    for (const row of due) {
      await send('deliver', { delivery: String(row.id), workAt: String(row.work_at) })
      counts.delivered += 1
    }
  }

  async function run(): Promise<void> {
    for (; !isStopped && errors.length < ERRORS_MAX; counts.rounds += 1) {
      try {
        await payOnce(counts.rounds % 2 === 0)
        await deliver()
      } catch (error) {
        errors.push(error)
      }
    }
  }

  const running = run()
  return {
    get rounds() {
      return counts.rounds
    },
    get taken() {
      return counts.taken
    },
    get refunded() {
      return counts.refunded
    },
    get delivered() {
      return counts.delivered
    },
    errors,
    async stop() {
      isStopped = true
      await running
    },
  }
}

function expectVerdict(row: Record<string, unknown> | undefined, verdict: string): string {
  if (row?.verdict !== verdict) throw new Error(`the payment is ${String(row?.verdict)}, not ${verdict}`)
  return String(row.id)
}
