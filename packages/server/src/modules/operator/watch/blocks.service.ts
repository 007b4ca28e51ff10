import { audited } from '../../audit/service.ts'
import { liftBlock, listBlockedAddresses, readNetwork } from '../../auth/addresses.service.ts'
import type { AddressBlock } from '../../auth/addresses.types.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { unknown } from '../console/pages.rules.ts'
import type { MoneyContext } from '../console/types.ts'
import { blockView } from './blocks.view.ts'

type BlockContext = Pick<MoneyContext, 'database' | 'log'>

/** Lists the newest first. */
export function listBlocksForOperators({ database }: BlockContext): Promise<AddressBlock[]> {
  return listBlockedAddresses(database)
}

export async function liftForOperators(
  { log }: BlockContext,
  caller: OperatorCaller,
  address: string,
  reason: unknown,
): Promise<AddressBlock> {
  return audited(log, { caller, action: 'block.lift', reason }, async (_tx, database) => {
    const network = readNetwork(address)
    const before = (await listBlockedAddresses(database)).find((block) => block.address === network)
    if (before === undefined) throw unknown('block')
    await liftBlock(database, network)
    return {
      target: { kind: 'address', id: network },
      before: blockView(before),
      after: null,
      result: before,
    }
  })
}
