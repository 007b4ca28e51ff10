import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase, UncertainCommitError } from '../../../db/database.ts'
import type { CasesBench } from '../../../testing/cases.ts'
import { openCasesBench } from '../../../testing/cases.ts'
import {
  contextOf,
  countLone,
  decideAs,
  limitsOf,
  newOperator,
  newVoid,
} from '../../../testing/lone-decisions.ts'
import { openBreakableLine } from '../../../testing/network/breakable-line.ts'
import { expectSoundMoney } from '../../../testing/payments/payments.ts'
import { approveVoid } from './acts.ts'

let bench: CasesBench
beforeAll(async () => {
  bench = await openCasesBench()
})
afterAll(() => bench.close())
afterAll(() => expectSoundMoney(bench.database))

it.each(['before', 'after'] as const)(
  'a decision that is cut off %s its commit gives the money back and counts both or neither, and once when it is sent again',
  async (when) => {
    const operator = await newOperator(bench)
    const resellerId = await bench.newReseller(100_000n)
    const number = await newVoid(bench, resellerId)
    const line = await openBreakableLine(bench.connection)
    const database = openDatabase({ connection: line.connection, connectionsMax: 4, applicationName: 'test' })
    const context = contextOf(bench, limitsOf(1n), database)
    await context.log.key()
    const state = async () => [
      await bench.balanceOf(resellerId),
      await countLone(bench, 'operator_id', operator.operatorId),
    ]
    const decide = () => decideAs(context, operator, approveVoid, { number, evidence: 'letter' })
    line.breakCommit(when)
    await expect(decide()).rejects.toBeInstanceOf(UncertainCommitError)
    expect(await state()).toEqual(when === 'after' ? [100_000n, 1] : [90_000n, 0])
    await decide().catch((error: unknown) => expect(error).toMatchObject({ code: 'case_closed' }))
    expect(await state()).toEqual([100_000n, 1])
    await database.close()
    await line.close()
  },
)
