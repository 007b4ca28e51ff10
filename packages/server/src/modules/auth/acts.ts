import type { Vault } from '../../db/vault.ts'
import { input } from '../../http/codec.ts'
import { act } from '../acts/service.ts'
import type { By } from '../acts/types.ts'
import { rotateSigningKey } from './token-keys.service.ts'

export const rotateTokenKey = act({
  name: 'token_key.rotate',
  input: input({}),
  async run(tx, _, { world }: By<{ readonly vault: Vault }>) {
    const { before, after } = await rotateSigningKey(tx, world.vault)
    return { target: { kind: 'token_key', id: after.kid }, before, after, result: after }
  },
})
