import { rotateTokenKey } from '../../../modules/auth/acts.ts'
import { listBlockedAddresses } from '../../../modules/auth/addresses.service.ts'
import type { AddressBlock } from '../../../modules/auth/addresses.types.ts'
import { liftForOperators } from '../../../modules/operator/watch/blocks.service.ts'
import type { Command } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { openAct } from '../../record.ts'
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
  {
    name: 'block lift',
    summary: 'let a blocked address in again; its count begins anew',
    options: {
      address: {
        value: 'ADDRESS',
        help: 'an IPv4 or IPv6 address; for IPv6 its whole /64 is let in',
        required: true,
      },
    },
    async run(call) {
      const { caller, reason, ...context } = await openAct(call)
      const { address } = await liftForOperators(context, caller, call.text('address'), reason)
      return { json: { address, lifted: true }, text: `${address} may call again within a second.` }
    },
  },
  actCommand({
    name: 'token-key rotate',
    summary: 'sign legacy tokens with a new key; tokens already issued stay good until they expire',
    act: rotateTokenKey,
    world: ({ vault }) => ({ vault }),
    show: ({ kid }) => ({ json: { kid }, text: `New tokens are signed with key ${kid}.` }),
  }),
]

function blockView(block: AddressBlock) {
  return {
    address: block.address,
    blocked_at: block.blockedAt.toISOString(),
    blocked_until: block.blockedUntil.toISOString(),
    requests: Number(block.requests),
  }
}
