import { parseId } from '../../../lib/input/ids.ts'
import { listApiKeys, revokeApiKey } from '../../accounts/keys.service.ts'
import { changeReseller, within } from '../../accounts/service.ts'
import type { ApiKey } from '../../accounts/types.ts'
import { audited } from '../../audit/service.ts'
import type { OperatorCaller } from '../../sessions/people/types.ts'
import { unknown } from '../console/pages.rules.ts'
import { keyView } from './keys.view.ts'
import type { AccountsContext } from './resellers.service.ts'
import { getForOperators } from './resellers.service.ts'

/** Lists the newest first, ended ones included. */
export async function listKeysOf(context: AccountsContext, account: string): Promise<ApiKey[]> {
  return listApiKeys(context.database, (await getForOperators(context, account)).id)
}

/** Revokes a key. It stops working on every node within seconds. A key that was revoked before stays revoked. */
export async function revokeKey(
  context: AccountsContext,
  caller: OperatorCaller,
  place: { readonly account: string; readonly id: string },
  reason: unknown,
): Promise<ApiKey> {
  const { id: resellerId } = await getForOperators(context, place.account)
  const keyId = parseId(place.id)
  if (keyId === undefined) throw unknown('API key')
  return audited(context.log, { caller, action: 'key.revoke', reason }, async (tx) => {
    const accounts = within(tx, context.accounts)
    return changeReseller(accounts, resellerId, async () => {
      const before = (await listApiKeys(tx, resellerId)).find(({ id }) => id === keyId)
      if (before === undefined) throw unknown('API key')
      const after = await revokeApiKey(accounts, resellerId, keyId)
      return {
        target: { kind: 'api_key', id: `${place.account}/${keyId}` },
        before: keyView(before),
        after: keyView(after),
        result: after,
      }
    })
  })
}
