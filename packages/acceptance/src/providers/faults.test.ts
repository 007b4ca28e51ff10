import { afterAll, beforeAll, expect, it } from 'vitest'
import { until } from '../service.ts'
import type { CallbackFault, Fault, RequestFault } from '../simulator.ts'
import type { Cell, Matrix } from './matrix.ts'
import { DELAYED, expectBooksAgree, FAILS, newAccount, openMatrix, payAll, untilAllFinal } from './matrix.ts'

// Each fault at each moment: a payment may wait, but it ends as the supplier's books say, and is charged once.

let matrix: Matrix

beforeAll(async () => {
  matrix = await openMatrix()
})

afterAll(() => matrix?.close())

/** Delay that is longer than the connector's timeout. */
const SLOW_MS = 2_500
const TRICKLE_MS = 100

const FAULTS: readonly RequestFault[] = [
  'error_before',
  'drop_before',
  'reset_before',
  'hang_before',
  'redirect',
  'unauthorized',
  'outage',
  'error_after',
  'drop_after',
  'reset_after',
  'hang',
  'slow',
  'garbage',
  'echo',
  'huge',
  'truncated',
  'trickle',
  'not_http',
  'duplicate_answer',
]

function hit(kind: RequestFault, on: 'submit' | 'query', count = 1): Fault {
  const delay = kind === 'slow' ? { delay_ms: SLOW_MS } : kind === 'trickle' ? { delay_ms: TRICKLE_MS } : {}
  return { kind, on, count, ...delay }
}

/** Returns true when every fault was met, and every late act has happened. */
function isQuiet(late: readonly string[]): () => Promise<boolean> {
  return async () => {
    if ((await matrix.simulator.faults()).length > 0) return false
    const inBooks = new Set((await matrix.simulator.books()).map(({ account }) => account))
    return late.every((account) => inBooks.has(account))
  }
}

it('a submission that meets any fault, before or after the supplier acts or while it answers, ends right', async () => {
  const succeeding = FAULTS.map((kind): Cell => ({ account: newAccount(), faults: [hit(kind, 'submit')] }))
  const slow = succeeding.filter(({ faults }) => faults[0]?.kind === 'slow').map(({ account }) => account)
  // A slow one is left out: on a shared account the test could not wait for it.
  const shared = [FAILS, DELAYED].flatMap((account) =>
    FAULTS.filter((kind) => kind !== 'slow').map(
      (kind): Cell => ({ account, faults: [hit(kind, 'submit')] }),
    ),
  )
  await payAll(matrix, [...succeeding, ...shared])
  await untilAllFinal(matrix, isQuiet(slow))
  await expectBooksAgree(matrix)
})

it('a question that meets any fault about what was done leaves the payment waiting until one is answered', async () => {
  const cells = FAULTS.flatMap((kind) =>
    [newAccount(), FAILS].map(
      (account): Cell => ({ account, faults: [hit('drop_after', 'submit'), hit(kind, 'query')] }),
    ),
  )
  await payAll(matrix, cells)
  await untilAllFinal(matrix, isQuiet([]))
  await expectBooksAgree(matrix)
})

it('a question that meets any fault about what never arrived sends nothing twice', async () => {
  const cells = FAULTS.map((): Cell => ({ account: newAccount(), faults: [hit('drop_before', 'submit')] }))
  const questions = FAULTS.map((kind) => hit(kind, 'query', 2))
  await payAll(matrix, cells, questions)
  await untilAllFinal(matrix, isQuiet([]))
  await expectBooksAgree(matrix)
})

/** Number of times that each callback is sent, and the service's answer to it. */
const CALLBACKS: Readonly<Record<CallbackFault, { sent: number; status: number }>> = {
  callback_missing: { sent: 0, status: 200 },
  callback_twice: { sent: 2, status: 200 },
  callback_early: { sent: 1, status: 200 },
  callback_contradicted: { sent: 2, status: 200 },
  callback_pending_after: { sent: 2, status: 200 },
  callback_wrong_amount: { sent: 1, status: 200 },
  callback_bad_signature: { sent: 1, status: 401 },
  callback_old: { sent: 1, status: 401 },
  callback_garbage: { sent: 1, status: 401 },
}

it('callbacks that are doubled, early, late, wrong, forged or missing change nothing of what is true', async () => {
  const kinds = Object.keys(CALLBACKS) as CallbackFault[]
  const cells = kinds.flatMap((kind) => {
    const callback: Fault = { kind, on: 'callback', count: 1 }
    return [
      { kind, account: newAccount(), faults: [callback] },
      { kind, account: newAccount(), faults: [callback, hit('drop_after', 'submit')] },
      { kind, account: newAccount(), faults: [callback, hit('hang', 'submit')] },
      { kind, account: FAILS, faults: [callback, hit('drop_after', 'submit')] },
    ]
  })
  // Callbacks of earlier orders may still be on their way.
  const earlier = new Set((await matrix.simulator.books()).map(({ reference }) => reference))
  await payAll(matrix, cells)
  const wanted = cells.flatMap(({ kind }) => {
    const { sent, status } = CALLBACKS[kind]
    return Array.from({ length: sent }, () => status)
  })
  const statuses = async () => {
    const callbacks = await matrix.simulator.callbacks()
    return callbacks.filter(({ reference }) => !earlier.has(reference)).map(({ status }) => status)
  }
  await until('every callback is done with', async () => (await statuses()).length >= wanted.length)
  expect((await statuses()).sort()).toEqual(wanted.sort())
  await untilAllFinal(matrix, isQuiet([]))
  await expectBooksAgree(matrix)
})
