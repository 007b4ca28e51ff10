import type { Operation } from '../../../http/operation.ts'
import { operation } from '../../../http/operation.ts'
import type { OperatorAuthenticator } from '../../sessions/people/types.ts'
import { rolesFor } from '../console/roles.rules.ts'
import type { MoneyContext } from '../console/types.ts'
import { BlockListResponse, BlockResponse, LiftBlockBody } from './blocks.schemas.ts'
import { liftForOperators, listBlocksForOperators } from './blocks.service.ts'
import { blockView } from './blocks.view.ts'

const TAG = 'Blocks'
const PATH = '/operator/v1/blocks'

export function operatorBlockOperations(
  authenticate: OperatorAuthenticator,
  context: MoneyContext,
): Operation[] {
  return [
    operation({
      method: 'GET',
      path: PATH,
      docs: {
        operationId: 'listBlocks',
        summary: 'Blocked addresses, newest first',
        description: 'Addresses that are blocked for exceeding the rate limit, newest first.',
        tag: TAG,
      },
      schemas: { responses: { 200: BlockListResponse } },
      authenticate: authenticate(...rolesFor('blocks.read')),
      async handle() {
        const blocks = await listBlocksForOperators(context)
        return { status: 200, body: { data: blocks.map(blockView), cursor: null, has_more: false } }
      },
    }),
    operation({
      method: 'POST',
      path: `${PATH}/lift`,
      docs: {
        operationId: 'liftBlock',
        summary: 'Lift the block of an address',
        description: 'Let a blocked address in again, on every node within a second.',
        tag: TAG,
      },
      schemas: {
        body: LiftBlockBody,
        responses: { 200: BlockResponse },
      },
      also: [404],
      authenticate: authenticate(...rolesFor('blocks.write')),
      async handle({ caller, body }) {
        const lifted = await liftForOperators(context, caller, body.address, body.reason)
        return { status: 200, body: { data: blockView(lifted) } }
      },
    }),
  ]
}
