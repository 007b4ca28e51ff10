import type { Tx } from '../../../db/database.ts'
import {
  allowNetworks,
  changeAllowlist,
  createApiKey,
  disallowNetwork,
  listApiKeys,
  revokeApiKey,
  rotateApiKey,
} from '../../accounts/keys.service.ts'
import type { Accounts } from '../../accounts/service.ts'
import { within } from '../../accounts/service.ts'
import type { AllowedNetwork, ApiKey, NewApiKey, Scope } from '../../accounts/types.ts'
import type { Done, Target } from '../../audit/types.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { logged } from '../access/log.service.ts'
import type { PortalSettings } from '../access/types.ts'
import { keyView } from './keys.view.ts'

// API keys and the allowlist, which let programs in. Each change is logged in the same commit.

function change<T>(
  settings: PortalSettings,
  caller: MemberCaller,
  action: string,
  work: (accounts: Accounts, tx: Tx) => Promise<Done<T>>,
): Promise<T> {
  return logged(settings, caller, action, (tx) => work(within(tx, settings), tx))
}

/** Shows a key for the log, without the key itself, because operators do not need it. */
function shown(key: ApiKey | undefined) {
  if (key === undefined) return null
  const { key: _, ...rest } = keyView(key)
  return rest
}

function keyTarget({ reseller }: MemberCaller, id: bigint): Target {
  return { kind: 'api_key', id: `${reseller.account}/${id}` }
}

async function findKey(
  { database }: Accounts,
  { reseller }: MemberCaller,
  keyId: bigint,
): Promise<ApiKey | undefined> {
  return (await listApiKeys(database, reseller.id)).find(({ id }) => id === keyId)
}

export function makeKey(
  settings: PortalSettings,
  caller: MemberCaller,
  input: { readonly label?: string | undefined; readonly scopes?: readonly Scope[] | undefined },
): Promise<NewApiKey> {
  return change(settings, caller, 'key.create', async (accounts) => {
    const key = await createApiKey(accounts, caller.reseller.id, { ...input, createdBy: caller.userId })
    return { target: keyTarget(caller, key.id), before: null, after: shown(key), result: key }
  })
}

/** Replaces a key. The log names the old key as the target, and the new key in the result. */
export function replaceKey(
  settings: PortalSettings,
  caller: MemberCaller,
  keyId: bigint,
  input: { readonly graceSeconds: number },
): Promise<NewApiKey> {
  return change(settings, caller, 'key.rotate', async (accounts) => {
    const before = shown(await findKey(accounts, caller, keyId))
    const key = await rotateApiKey(accounts, caller.reseller.id, keyId, {
      ...input,
      createdBy: caller.userId,
    })
    const after = { ...shown(key), grace_seconds: input.graceSeconds }
    return { target: keyTarget(caller, keyId), before, after, result: key }
  })
}

export function endKey(settings: PortalSettings, caller: MemberCaller, keyId: bigint): Promise<ApiKey> {
  return change(settings, caller, 'key.revoke', async (accounts) => {
    const before = shown(await findKey(accounts, caller, keyId))
    const key = await revokeApiKey(accounts, caller.reseller.id, keyId)
    return { target: keyTarget(caller, keyId), before, after: shown(key), result: key }
  })
}

export function allow(
  settings: PortalSettings,
  caller: MemberCaller,
  input: { readonly networks: readonly string[]; readonly label?: string | undefined },
): Promise<AllowedNetwork[]> {
  return change(settings, caller, 'allowlist.add', (own, tx) =>
    changeAllowlist(tx, own, caller.reseller, (accounts, id) => allowNetworks(accounts, id, input)),
  )
}

export function disallow(
  settings: PortalSettings,
  caller: MemberCaller,
  network: string,
): Promise<AllowedNetwork[]> {
  return change(settings, caller, 'allowlist.remove', (own, tx) =>
    changeAllowlist(tx, own, caller.reseller, (accounts, id) => disallowNetwork(accounts, id, network)),
  )
}
