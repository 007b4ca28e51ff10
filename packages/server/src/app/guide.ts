import { SETTINGS } from '../config/settings.ts'
import { describeRule } from '../lib/input/fields.ts'
import { MOVES } from '../modules/orders/core/states.rules.ts'
import { errorRows } from './errors.ts'
import { testAccountRows } from './test-accounts.ts'

/** Tables of the code that pages of the documentation show; `tools/src/build/docs.ts` bundles them with its generator. */
export function guideTables() {
  return { errors: errorRows(), testAccounts: testAccountRows(), orderMoves: MOVES, settings: settingRows() }
}

function settingRows() {
  return Object.entries(SETTINGS).map(([name, { rule, usualText, meaning }]) => ({
    name,
    usual: usualText,
    values: describeRule(rule),
    meaning,
  }))
}
