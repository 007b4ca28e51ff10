import type { Tx } from '../../db/database.ts'
import type { Infer } from '../../http/codec.ts'
import { invalidFields, RequestError } from '../../lib/errors.ts'
import { mustChange } from '../../lib/input/fields.ts'
import {
  ALLOWED_NETWORK,
  ALLOWLIST_INPUT,
  HINTED_KEY,
  KEY_CHANGES_INPUT,
  KEY_INPUT,
  NETWORK_INPUT,
  NETWORKS_INPUT,
  NEW_KEY_INPUT,
  ROTATION_INPUT,
} from '../accounts/keys.codec.ts'
import {
  allowNetworks,
  changeApiKey,
  clearAllowlist,
  createApiKey,
  disallowNetwork,
  getApiKey,
  getApiKeyById,
  listAllowlist,
  revokeApiKey,
  rotateApiKey,
  withGiven,
} from '../accounts/keys.service.ts'
import { lockUsers } from '../accounts/public.sql.ts'
import { widensKey } from '../accounts/rules.ts'
import { getReseller } from '../accounts/service.ts'
import type { ApiKey, Reseller } from '../accounts/types.ts'
import { act } from '../acts/service.ts'
import type { By } from '../acts/types.ts'
import type { Done, Target } from '../audit/types.ts'
import { listCoveredCodes, listUnsaleableCodes } from '../catalog/operators.service.ts'
import { holdProof } from '../sessions/people/acts.service.ts'
import { isSignedIn } from '../sessions/people/proof.service.ts'
import { accountsIn, grantedAtMachine } from './service.ts'
import type { Grant, GrantWorld } from './types.ts'

// API keys and the allowlist, which let programs in. The log shows a key as operators see it.

type KeyBy = By<GrantWorld>

export const createKey = act({
  name: 'key.create',
  input: NEW_KEY_INPUT,
  lock: lockUsers,
  async run(tx, { account, ...wanted }, by: KeyBy) {
    const reseller = await getReseller(tx, account)
    await refuseUnknownProducts(tx, reseller, wanted)
    const work = async () => {
      const input = { ...wanted, createdBy: makerOf(by) }
      const key = await createApiKey(accountsIn(tx, by), reseller.id, input)
      return { target: keyTarget(reseller, key), before: null, after: HINTED_KEY.encode(key), result: key }
    }
    return grantedAtMachine(tx, by, { grant: grantOf(reseller), work })
  },
})

/**
 * Changes what a key may do. Whoever widens it proves again who they are; an operator only narrows it, because the key is
 * its owner's.
 */
export const changeKey = act({
  name: 'key.update',
  input: KEY_CHANGES_INPUT,
  async lock(tx, input, by: KeyBy) {
    await judgeChange(tx, input, by)
    await lockUsers(tx)
  },
  async run(tx, input, by: KeyBy) {
    const { account: _, id: __, key: ___, ...changes } = input
    mustChange(changes)
    const { reseller, before, isWider } = await judgeChange(tx, input, by)
    await refuseUnknownProducts(tx, reseller, changes)
    const work = async () => {
      const after = await changeApiKey(accountsIn(tx, by), reseller.id, before.id, changes)
      return {
        target: keyTarget(reseller, before),
        before: HINTED_KEY.encode(before),
        after: HINTED_KEY.encode(after),
        result: after,
      }
    }
    return isWider ? grantedAtMachine(tx, by, { grant: grantOf(reseller), work }) : work()
  },
})

/**
 * Judges a change by what the key may do now, and holds the proof that it needs: before the lock, because the proof is
 * locked first, and once more under it, when nobody else changes the key.
 */
async function judgeChange(tx: Tx, input: Infer<typeof KEY_CHANGES_INPUT>, { caller }: KeyBy) {
  const { account, id, key, label: _, ...given } = input
  const reseller = await getReseller(tx, account)
  const before = await getKey(tx, reseller, { id, key })
  const after = withGiven(before, given)
  const covered = await listCoveredCodes(tx, after.products ?? [], before.products ?? [])
  const isWider = widensKey(before, after, covered)
  if (isWider && caller.kind === 'operator') {
    throw new RequestError({
      status: 403,
      code: 'only_its_owner',
      publicText: 'Only its owner lets a key do more. You may let it do less, or revoke it.',
    })
  }
  if (isWider && isSignedIn(caller)) await holdProof(tx, caller)
  return { reseller, before, isWider }
}

async function refuseUnknownProducts(
  tx: Tx,
  reseller: Reseller,
  { products }: { readonly products?: readonly string[] | null | undefined },
): Promise<void> {
  const unknown = products ? await listUnsaleableCodes(tx, reseller, products) : []
  if (unknown.length === 0) return
  throw invalidFields({ products: [`${unknown.join(', ')}: no product, category or group of this account`] })
}

/** Replaces a key. The log names the old key as the target, and the new key in the result. */
export const rotateKey = act({
  name: 'key.rotate',
  input: ROTATION_INPUT,
  lock: lockUsers,
  async run(tx, { account, graceSeconds = 0, ...named }, by: KeyBy) {
    const reseller = await getReseller(tx, account)
    const old = await getKey(tx, reseller, named)
    const work = async () => {
      const input = { graceSeconds, createdBy: makerOf(by) }
      const key = await rotateApiKey(accountsIn(tx, by), reseller.id, old.id, input)
      return {
        target: keyTarget(reseller, old),
        before: HINTED_KEY.encode(old),
        after: { ...HINTED_KEY.encode(key), grace_seconds: graceSeconds },
        result: key,
      }
    }
    return grantedAtMachine(tx, by, { grant: grantOf(reseller), work })
  },
})

/** Revokes a key. It stops working on every node within seconds. One that was revoked before stays revoked. */
export const revokeKey = act({
  name: 'key.revoke',
  input: KEY_INPUT,
  lock: lockUsers,
  async run(tx, { account, ...named }, by: KeyBy) {
    const reseller = await getReseller(tx, account)
    const before = await getKey(tx, reseller, named)
    const after = await revokeApiKey(accountsIn(tx, by), reseller.id, before.id)
    return {
      target: keyTarget(reseller, before),
      before: HINTED_KEY.encode(before),
      after: HINTED_KEY.encode(after),
      result: after,
    }
  },
})

type Named = { readonly id?: bigint | undefined; readonly key?: string | undefined }

function getKey(tx: Tx, { id: resellerId }: Reseller, { id, key = '' }: Named): Promise<ApiKey> {
  return id === undefined ? getApiKey(tx, resellerId, key) : getApiKeyById(tx, resellerId, id)
}

function grantOf(company: Reseller): Grant {
  return { kind: 'api_key', command: {}, company }
}

function makerOf({ caller }: KeyBy): bigint | undefined {
  return caller.kind === 'member' ? caller.userId : undefined
}

function keyTarget({ account }: Reseller, { id }: ApiKey): Target {
  return { kind: 'api_key', id: `${account}/${id}` }
}

// ── IP allowlist ──

/** Adds each network, or gives an existing one the new label. Every address may call while the list is empty. */
export const addNetworks = act({
  name: 'allowlist.add',
  input: NETWORKS_INPUT,
  lock: lockUsers,
  run: (tx, { account, ...input }, by: KeyBy) =>
    changeAllowlist(tx, account, (id) => allowNetworks(accountsIn(tx, by), id, input)),
})

export const removeNetwork = act({
  name: 'allowlist.remove',
  input: NETWORK_INPUT,
  lock: lockUsers,
  run: (tx, { account, network }, by: KeyBy) =>
    changeAllowlist(tx, account, (id) => disallowNetwork(accountsIn(tx, by), id, network)),
})

/** Empties the list, so that every address may call again. Its result is the number of entries that were there. */
export const emptyAllowlist = act({
  name: 'allowlist.clear',
  input: ALLOWLIST_INPUT,
  lock: lockUsers,
  run: (tx, { account }, by: KeyBy) =>
    changeAllowlist(tx, account, (id) => clearAllowlist(accountsIn(tx, by), id)),
})

async function changeAllowlist<T>(
  tx: Tx,
  account: string,
  work: (resellerId: bigint) => Promise<T>,
): Promise<Done<T>> {
  const { id } = await getReseller(tx, account)
  const shown = async () => (await listAllowlist(tx, id)).map((each) => ALLOWED_NETWORK.encode(each))
  const before = await shown()
  const result = await work(id)
  return { target: { kind: 'ip_allowlist', id: account }, before, after: await shown(), result }
}
