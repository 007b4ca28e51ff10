import { audited } from '../../audit/service.ts'
import type { AuditCaller } from '../../audit/types.ts'
import { liftBlock, listBlockedAddresses } from '../../auth/addresses.service.ts'
import type { AddressBlock } from '../../auth/addresses.types.ts'
import type { MoneyContext } from '../console/types.ts'
import { blockView } from './blocks.view.ts'

type BlockContext = Pick<MoneyContext, 'database' | 'log'>

/** Lists the newest first. */
export function listBlocksForOperators({ database }: BlockContext): Promise<AddressBlock[]> {
  return listBlockedAddresses(database)
}

/** Lifts a block, for every face. Returns it as it was. */
export async function liftForOperators(
  { log }: Pick<BlockContext, 'log'>,
  caller: AuditCaller,
  address: string,
  reason: unknown,
): Promise<AddressBlock> {
  return audited(log, { caller, action: 'block.lift', reason }, async (_tx, database) => {
    const lifted = await liftBlock(database, address)
    return {
      target: { kind: 'address', id: lifted.address },
      before: blockView(lifted),
      after: null,
      result: lifted,
    }
  })
}
