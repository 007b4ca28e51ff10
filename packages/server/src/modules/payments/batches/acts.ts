import { assert, RequestError } from '../../../lib/errors.ts'
import { getReseller } from '../../accounts/service.ts'
import { act } from '../../acts/service.ts'
import type { By } from '../../acts/types.ts'
import { BATCH_INPUT } from './codec.ts'
import { deleteOldBatches, findBatchOwner, insertBatch, insertBatchLines, lockBatches } from './sql.ts'

/** Keeps the lines of a file before they are paid. It moves no money: each line is paid as a payment of its own. */
export const keepBatch = act({
  name: 'batch.keep',
  input: BATCH_INPUT,
  async run(tx, { account, name, batch, lines }, { caller }: By<unknown>) {
    assert(caller.kind === 'member', 'files are paid by members')
    const { id } = await getReseller(tx, account)
    await lockBatches(tx, id)
    if (batch !== undefined && (await findBatchOwner(tx, id, batch)) !== caller.userId) {
      return { refuse: noSuchBatch() }
    }
    const batchId = batch ?? (await insertBatch(tx, id, { memberId: caller.userId, name }))
    await insertBatchLines(tx, id, batchId, lines)
    await deleteOldBatches(tx, id)
    return {
      target: { kind: 'batch', id: `${account}/${batchId}` },
      before: null,
      after: { name, lines: lines.length },
      result: { id: batchId },
    }
  },
})

export function noSuchBatch(): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such batch.' })
}
