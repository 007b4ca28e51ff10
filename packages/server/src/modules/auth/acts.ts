import { Type } from 'typebox'
import type { Vault } from '../../db/vault.ts'
import { input, member, resource } from '../../http/codec.ts'
import { documentedAs } from '../../http/parameters.ts'
import { Instant } from '../../http/schemas.ts'
import { EXACT } from '../../lib/input/parameters.ts'
import { ACCOUNT_FIELDS } from '../accounts/fields.service.ts'
import { act } from '../acts/service.ts'
import type { By } from '../acts/types.ts'
import { liftBlock } from './addresses.service.ts'
import type { AddressBlock } from './addresses.types.ts'
import { rotateSigningKey } from './token-keys.service.ts'

export const BLOCK = resource<AddressBlock>()('Blocked address', {
  address: [
    Type.String({ description: 'An IPv4 address, or an IPv6 /64, which counts as one' }),
    ({ address }) => address,
  ],
  blocked_at: [Instant, ({ blockedAt }) => blockedAt.toISOString()],
  blocked_until: [Instant, ({ blockedUntil }) => blockedUntil.toISOString()],
  requests: [Type.String({ description: 'How many it had sent' }), ({ requests }) => String(requests)],
})

/** Lets a blocked address in again. The result is the block as it was. */
export const liftAddressBlock = act({
  name: 'block.lift',
  input: input({
    address: member(EXACT, {
      schema: documentedAs(
        ACCOUNT_FIELDS.network,
        Type.String({ description: 'As the list shows it, or any address inside an IPv6 /64' }),
      ),
      option: { value: 'ADDRESS', help: 'an IPv4 or IPv6 address; for IPv6 its whole /64 is let in' },
    }),
  }),
  async run(_tx, { address }, { database }: By<unknown>) {
    const result = await liftBlock(database, address)
    return {
      target: { kind: 'address', id: result.address },
      before: BLOCK.encode(result),
      after: null,
      result,
    }
  },
})

export const rotateTokenKey = act({
  name: 'token_key.rotate',
  input: input({}),
  async run(tx, _, { world }: By<{ readonly vault: Vault }>) {
    const { before, after } = await rotateSigningKey(tx, world.vault)
    return { target: { kind: 'token_key', id: after.kid }, before, after, result: after }
  },
})
