import type { Vault } from '../../db/vault.ts'
import { input, member, optionalMember, whole } from '../../http/codec.ts'
import { oneOf } from '../../lib/input/fields.ts'
import { ID } from '../../lib/input/ids.ts'
import { optional } from '../../lib/input/parameters.ts'
import { REFERENCE } from '../../lib/input/records.ts'
import { act } from '../acts/service.ts'
import type { By, Ran } from '../acts/types.ts'
import { beingCompared, noSuchFile, withdrawn } from './compare.service.ts'
import type { ImportInput, ImportResult } from './import.service.ts'
import { importSettlement } from './import.service.ts'
import { acceptDifference, applyDifference } from './service.ts'
import { findFile, holdComparison, withdrawFile } from './sql.ts'
import { differenceView, readAccounts } from './view.ts'

type Content = Pick<ImportInput, 'open' | 'onLines'>
export type FileInput = Omit<ImportInput, keyof Content>

/** Imports a supplier's file as a whole. One that was imported before, or that has a mistake, changes nothing. */
export const importFile = act({
  name: 'settlement.import',
  input: whole<FileInput>(),
  async run(_tx, file, { database, world }: By<Content>): Promise<Ran<ImportResult>> {
    const result = await importSettlement(database, { ...file, ...world })
    if (result.kind !== 'imported') return { unchanged: result }
    const { provider, day, name, lines } = result.file
    return { target: fileTarget(result.file.id), before: null, after: { provider, day, name, lines }, result }
  },
})

/**
 * Withdraws a file that should not have been imported: it no longer counts and may be imported again. Files about the
 * same payments are compared again after it (`compareTouched`). Payments that it ended stay as they are.
 */
export const withdrawSettlement = act({
  name: 'settlement.withdraw',
  input: input({
    file: member(ID, {
      identifies: 'settlement file',
      option: { value: 'NUMBER', help: 'the file, as settlement list shows it' },
    }),
  }),
  async lock(tx, { file }) {
    if (!(await holdComparison(tx, file))) throw beingCompared()
  },
  async run(tx, { file: id }, { reason }) {
    if ((await findFile(tx, id)) === undefined) throw noSuchFile()
    if (!(await withdrawFile(tx, id, reason))) throw withdrawn()
    return {
      target: fileTarget(id),
      before: { withdrawn: false },
      after: { withdrawn: true },
      result: id,
    }
  },
})

function fileTarget(id: bigint) {
  return { kind: 'settlement_file', id: String(id) }
}

/** Ends a difference: the file decides a payment that is not final here, or somebody accepts it as it is. */
export const resolveDifference = act({
  name: ({ as }) => `settlement.${as}`,
  input: input({
    id: member(ID, { identifies: 'difference', option: { value: 'NUMBER', help: 'the difference' } }),
    as: member(oneOf(['apply', 'accept'])),
    reference: optionalMember(optional(REFERENCE, null)),
  }),
  async run(tx, { id, as, reference = null }, { database, reason, world }: By<{ readonly vault: Vault }>) {
    const result =
      as === 'apply'
        ? await applyDifference({ database, vault: world.vault }, id, { reason })
        : await acceptDifference({ database }, id, { reason })
    const after = { ...differenceView(result, await readAccounts(tx, [result])), reference }
    return { target: differenceTarget(id), before: null, after, result }
  },
})

export function differenceTarget(id: bigint) {
  return { kind: 'settlement_difference', id: String(id) }
}
