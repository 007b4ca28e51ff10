import type { Tx } from '../../db/database.ts'
import { invalidFields } from '../../lib/errors.ts'
import { mustChange } from '../../lib/input/fields.ts'
import { shortReason } from '../../lib/input/records.ts'
import { lockUsers } from '../accounts/public.sql.ts'
import type { ResellerChanges } from '../accounts/resellers.codec.ts'
import { NEW_RESELLER_INPUT, RESELLER_CHANGES_INPUT, SETTINGS_INPUT } from '../accounts/resellers.codec.ts'
import { createReseller, getReseller, updateReseller } from '../accounts/service.ts'
import type { Reseller } from '../accounts/types.ts'
import { act } from '../acts/service.ts'
import type { By, Ran } from '../acts/types.ts'
import { changePriceLevel } from '../catalog/edit/overlays.service.ts'
import { lockCatalog, requireLevel } from '../catalog/operators.service.ts'
import { holdProof } from '../sessions/people/acts.service.ts'
import { isSignedIn } from '../sessions/people/proof.service.ts'
import { accountsIn, approvalOf, granted } from './service.ts'
import type { GrantWorld } from './types.ts'

export const openReseller = act({
  name: 'reseller.create',
  input: NEW_RESELLER_INPUT,
  lock: lockCatalog,
  async run(tx, input, by: By<GrantWorld>) {
    await requireLevel(tx, input.priceLevel)
    const reseller = await createReseller(accountsIn(tx, by), input)
    return { target: resellerTarget(reseller), before: null, after: reseller, result: reseller }
  },
})

/**
 * Changes a reseller. Another registered address decides who is warned of access that is given out, so it needs a second
 * person as that access does.
 */
export const editReseller = act({
  name: ({ status }: Changes) => {
    if (status === undefined) return 'reseller.update'
    return status === 'suspended' ? 'reseller.suspend' : 'reseller.activate'
  },
  input: RESELLER_CHANGES_INPUT,
  lock: lockFor,
  approval: approvalOf('reseller_email', RESELLER_CHANGES_INPUT, {
    target: resellerTarget,
    write: ({ account, email = null }) => ({ account, from: '', email }),
  }),
  run: change,
})

/** Changes the settings that a reseller decides itself. */
export const changeSettings = act({
  name: 'settings.update',
  input: SETTINGS_INPUT,
  lock: lockFor,
  run: change,
})

type Changes = ResellerChanges & { readonly account: string }

/** Proof, catalogue, directory: the order that every writer uses, to avoid a deadlock. */
async function lockFor(tx: Tx, changes: Changes, { caller }: By<GrantWorld>): Promise<void> {
  if (widensAccess(changes) && isSignedIn(caller)) await holdProof(tx, caller)
  if (changes.priceLevel !== undefined) await lockCatalog(tx)
  await lockUsers(tx)
}

/**
 * Tells whether the changes let somebody do more: get the account's mail, pay, or pay without a key. Prices, names and
 * restrictions let nobody in.
 */
function widensAccess({ email, access, status, topupRequiresApiKey }: Changes): boolean {
  return email !== undefined || access === 0 || status === 'active' || topupRequiresApiKey === false
}

async function change(tx: Tx, input: Changes, by: By<GrantWorld>): Promise<Ran<Reseller>> {
  const { account, ...changes } = input
  mustChange(changes)
  const before = await getReseller(tx, account)
  const { id, email: from } = before
  const work = async () => {
    const after = await updateReseller(accountsIn(tx, by), id, changes, async (_, levelCode) => {
      await changePriceLevel(tx, id, levelCode, shortReason(by.reason))
    })
    return { target: resellerTarget(after), before, after, result: after }
  }
  const { email } = changes
  if (email === undefined || email === from) return work()
  const grant = { kind: 'reseller_email', command: { account, from, email }, company: before } as const
  return granted(tx, by, { grant, work, mayAsk: () => mustBeAlone(changes) })
}

function mustBeAlone(changes: ResellerChanges): void {
  if (Object.values(changes).filter((value) => value !== undefined).length === 1) return
  throw invalidFields({
    email: ['needs a second person: change it in a request of its own. Nothing was changed'],
  })
}

function resellerTarget({ account }: { readonly account: string }) {
  return { kind: 'reseller', id: account }
}
