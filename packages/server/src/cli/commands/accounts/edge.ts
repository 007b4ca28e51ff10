import { BLOCK, liftAddressBlock, rotateTokenKey } from '../../../modules/auth/acts.ts'
import { listBlockedAddresses } from '../../../modules/auth/addresses.service.ts'
import type { AddressBlock } from '../../../modules/auth/addresses.types.ts'
import type { Command } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { formatTable } from '../../text.ts'

export const edgeCommands: readonly Command[] = [
  {
    name: 'block list',
    summary: 'list the addresses blocked for exceeding the rate limit, newest first',
    options: {},
    async run(call) {
      const { database } = await call.runtime()
      const blocks = (await listBlockedAddresses(database)).map(blockView)
      return { json: blocks, text: formatTable(blocks, 'No address is blocked.') }
    },
  },
  actCommand({
    name: 'block lift',
    summary: 'let a blocked address in again; its count begins anew',
    act: liftAddressBlock,
    world: () => undefined,
    show: ({ address }) => ({
      json: { address, lifted: true },
      text: `${address} may call again within a second.`,
    }),
  }),
  actCommand({
    name: 'token-key rotate',
    summary: 'sign legacy tokens with a new key; tokens already issued stay good until they expire',
    act: rotateTokenKey,
    world: ({ vault }) => ({ vault }),
    show: ({ kid }) => ({ json: { kid }, text: `New tokens are signed with key ${kid}.` }),
  }),
]

/** Shows a block with a number where the API has text. */
function blockView(block: AddressBlock) {
  const view = BLOCK.encode(block)
  return { ...view, requests: Number(view.requests) }
}
