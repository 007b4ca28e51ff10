import { afterAll, beforeAll, it } from 'vitest'
import type { RequestFault } from '../simulator.ts'
import type { Cell, Matrix } from './matrix.ts'
import {
  expectBooksAgree,
  FAILS,
  newAccount,
  openMatrix,
  payAgain,
  payAll,
  payUntilDead,
  untilAllFinal,
} from './matrix.ts'

let matrix: Matrix

beforeAll(async () => {
  matrix = await openMatrix()
})

afterAll(() => matrix?.close())

const FAULTS: readonly (RequestFault | 'none')[] = [
  'none',
  'error_before',
  'drop_before',
  'hang_before',
  'error_after',
  'reset_after',
  'hang',
  'garbage',
  'truncated',
]

/**
 * Failpoints with a count: the service dies the n-th time that it gets there, while other payments are at all other
 * places.
 */
const PLACES = [
  'intake.committed:2',
  'dispatch.before:5',
  'dispatch.sent:6',
  'resolve.before:2',
  'resolve.committed:2',
  'refund.before:1',
  'refund.committed:1',
]

/**
 * Starts the service with a failpoint. Returns false when it died there before it was ready: recovery works on what the
 * service before it left, and may reach the failpoint first.
 */
async function startsWith(failpoint: string): Promise<boolean> {
  try {
    await matrix.restart({ WARUNG_FAILPOINT: failpoint })
    return true
  } catch (error) {
    if (!/^the service ended with SIGKILL:/.test((error as Error).message)) throw error
    return false
  }
}

it('a service that dies anywhere, while its supplier does anything, leaves both with the same books', async () => {
  await matrix.service.kill9()
  for (const failpoint of PLACES) {
    if (!(await startsWith(failpoint))) continue
    const cells = FAULTS.flatMap((kind) =>
      [newAccount(), FAILS].map((account): Cell => ({ account, faults: [{ kind, on: 'submit', count: 1 }] })),
    )
    await payAll(matrix, cells)
    await payUntilDead(matrix)
    // Faults that were not met must not affect the next service.
    await matrix.simulator.clearFaults()
  }
  await matrix.restart({})
  await payAgain(matrix)
  await untilAllFinal(matrix, () => Promise.resolve(true))
  await expectBooksAgree(matrix)
}, 180_000)
