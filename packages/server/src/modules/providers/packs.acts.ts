import type { Tx } from '../../db/database.ts'
import { RequestError } from '../../lib/errors.ts'
import { act } from '../acts/service.ts'
import type { By, NeedsSecondPerson, Refused, Texts } from '../acts/types.ts'
import type { ChangeWorld } from './acts.ts'
import { lockProviders, providerTarget } from './acts.ts'
import { changeConnection, getConnection } from './connections/connections.service.ts'
import type { Connection } from './connections/connections.types.ts'
import { changedConnectionRow, connectionRow } from './connections/operators.service.ts'
import { mayChangeAlone, noteChange } from './connections/prepared.service.ts'
import { isObject } from './language/reading.rules.ts'
import type { ProductsInput, UpgradeInput } from './packs/codec.ts'
import { PRODUCTS_INPUT, UPGRADE_INPUT } from './packs/codec.ts'
import { planUpgrade, rememberPack } from './packs/packs.service.ts'

/** Brings a newer version of its pack into a connection, or other settings and secrets. */
export const upgradeProvider = act({
  name: 'provider.upgrade',
  input: UPGRADE_INPUT,
  lock: lockProviders,
  approval: {
    kind: 'provider_upgrade',
    target: providerTarget,
    write: ({ code, settings }: UpgradeInput): Texts => ({
      code,
      settings: settings === undefined ? null : JSON.stringify(settings),
    }),
    read: ({ code, settings }) =>
      UPGRADE_INPUT.read({ code, ...(settings && { settings: JSON.parse(settings) as unknown }) }),
  },
  async run(tx, { code, settings, secrets }, by: By<ChangeWorld>) {
    const { database, world } = by
    const before = await getConnection(database, code)
    const { upgrade, change, made } = await planUpgrade(database, code, settings)
    const { from, to, differences } = upgrade
    const shown = { from: String(from), to: String(to), differences: JSON.stringify(differences) }
    const missing = await missingConsent(tx, before, by, shown)
    if (missing !== undefined) return secrets === undefined ? missing : { refuse: secretsInUse(code) }
    const isSameSupplier = change.isSameSupplier === true && secrets === undefined
    const given = { ...change, isSameSupplier, ...(secrets !== undefined && { secrets }) }
    const connection = await changeConnection({ ...world, database }, code, given)
    await rememberPack(tx, code, made)
    await noteChange(tx, code, by)
    return {
      target: providerTarget(connection),
      before: { ...connectionRow(before), pack_version: from },
      after: { ...changedConnectionRow(before, connection), pack_version: to },
      result: { connection, upgrade },
    }
  },
})

/** Says which of the supplier's codes our products have; those that are not named stay. */
export const setProducts = act({
  name: 'provider.set_products',
  input: PRODUCTS_INPUT,
  lock: lockProviders,
  approval: {
    kind: 'provider_products',
    target: providerTarget,
    write: ({ code, products }: ProductsInput): Texts => ({ code, products: JSON.stringify(products) }),
    read: ({ code, products }) =>
      PRODUCTS_INPUT.read({ code, products: JSON.parse(products ?? '{}') as unknown }),
  },
  async run(tx, { code, products }, by: By<ChangeWorld>) {
    const { database, world } = by
    const before = await getConnection(database, code)
    const present = isObject(before.config) && isObject(before.config.products) ? before.config.products : {}
    const old = Object.fromEntries(Object.keys(products).map((name) => [name, present[name] ?? null]))
    const missing = await missingConsent(tx, before, by, { before: JSON.stringify(old) })
    if (missing !== undefined) return missing
    const kept = Object.entries({ ...present, ...products }).filter(([, value]) => value !== null)
    const config = { ...(before.config as object), products: Object.fromEntries(kept) }
    const result = await changeConnection({ ...world, database }, code, { config, isSameSupplier: true })
    await noteChange(tx, code, by)
    return { target: providerTarget({ code }), before: old, after: products, result }
  },
})

/** Returns why one person alone may not change a connection, or that it is another one than was asked about. */
async function missingConsent(
  tx: Tx,
  connection: Connection,
  by: By<ChangeWorld>,
  shown: Texts,
): Promise<NeedsSecondPerson | Refused | undefined> {
  const seal = String(connection.version)
  if (by.consent.kind === 'approved' && by.consent.seal !== seal) return { refuse: changedMeanwhile() }
  if (await mayChangeAlone(tx, connection, by)) return undefined
  return { ask: { shown: { ...shown, seal }, view: undefined } }
}

function changedMeanwhile(): RequestError {
  const publicText = 'The connection has changed since this request. Nothing was changed; ask for it again.'
  return new RequestError({ status: 409, code: 'conflict', publicText })
}

function secretsInUse(code: string): RequestError {
  const publicText =
    `${code} takes orders or has unfinished ones. Its secrets are replaced at the machine, with warungd provider ` +
    'update, or after it is disabled and has none. Nothing was changed.'
  return new RequestError({ status: 409, code: 'conflict', publicText })
}
