import type { Tx } from '../../../db/database.ts'
import { RequestError } from '../../../lib/errors.ts'
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
import { appendAudit } from '../../audit/service.ts'
import type { Done, Target } from '../../audit/types.ts'
import { confirmPassword } from '../../sessions/people/proof.service.ts'
import type { MemberCaller } from '../../sessions/people/types.ts'
import { REASON } from '../access/log.service.ts'
import type { PortalSettings } from '../access/types.ts'
import { keyView } from './keys.view.ts'

// API keys and the allowlist, which let programs in. Each change needs the password again, and is logged in the same
// commit.

/**
 * Makes a change after the password was given again: an unattended screen must not be enough to make a key that pays.
 */
function change<T>(
  settings: PortalSettings,
  caller: MemberCaller,
  { action, password }: { readonly action: string; readonly password: string },
  work: (accounts: Accounts, tx: Tx) => Promise<Done<T>>,
): Promise<T> {
  const proof = { field: 'password', password, failure: wrongPassword() }
  return confirmPassword(settings.sessions, caller, proof, async (tx) => {
    const { result, ...done } = await work(within(tx, settings), tx)
    await appendAudit(tx, settings.sessions.audit, { caller, action, reason: REASON }, done)
    return { passed: result }
  })
}

function wrongPassword(): RequestError {
  return new RequestError({
    status: 403,
    code: 'wrong_password',
    publicText: 'The password is incorrect.',
    fields: { password: ['The password is incorrect.'] },
  })
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
  password: string,
): Promise<NewApiKey> {
  return change(settings, caller, { action: 'key.create', password }, async (accounts) => {
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
  password: string,
): Promise<NewApiKey> {
  return change(settings, caller, { action: 'key.rotate', password }, async (accounts) => {
    const before = shown(await findKey(accounts, caller, keyId))
    const key = await rotateApiKey(accounts, caller.reseller.id, keyId, {
      ...input,
      createdBy: caller.userId,
    })
    const after = { ...shown(key), grace_seconds: input.graceSeconds }
    return { target: keyTarget(caller, keyId), before, after, result: key }
  })
}

export function endKey(
  settings: PortalSettings,
  caller: MemberCaller,
  keyId: bigint,
  password: string,
): Promise<ApiKey> {
  return change(settings, caller, { action: 'key.revoke', password }, async (accounts) => {
    const before = shown(await findKey(accounts, caller, keyId))
    const key = await revokeApiKey(accounts, caller.reseller.id, keyId)
    return { target: keyTarget(caller, keyId), before, after: shown(key), result: key }
  })
}

export function allow(
  settings: PortalSettings,
  caller: MemberCaller,
  input: { readonly networks: readonly string[]; readonly label?: string | undefined },
  password: string,
): Promise<AllowedNetwork[]> {
  return change(settings, caller, { action: 'allowlist.add', password }, (own, tx) =>
    changeAllowlist(tx, own, caller.reseller, (accounts, id) => allowNetworks(accounts, id, input)),
  )
}

export function disallow(
  settings: PortalSettings,
  caller: MemberCaller,
  network: string,
  password: string,
): Promise<AllowedNetwork[]> {
  return change(settings, caller, { action: 'allowlist.remove', password }, (own, tx) =>
    changeAllowlist(tx, own, caller.reseller, (accounts, id) => disallowNetwork(accounts, id, network)),
  )
}
