import type { Tx } from '../../../db/database.ts'
import type { FieldErrors } from '../../../lib/errors.ts'
import { fieldErrorsOf, invalidFields, RequestError } from '../../../lib/errors.ts'
import { listResellers } from '../../accounts/service.ts'
import type { Reseller } from '../../accounts/types.ts'
import type { Problem } from '../model/problems.rules.ts'
import { isBaseTouched, ownersOf } from '../model/state.rules.ts'
import type { Touched } from '../model/store.types.ts'
import { encodeTouched } from '../model/touched.rules.ts'
import type { LevelSwitch } from './changes.sql.ts'
import { insertChange, insertParts } from './changes.sql.ts'
import { announceVersion } from './version.sql.ts'

// Steps of every writer before and after its own rows. A writer locks the version first, so that writers wait
// for each other, see each other's work and cannot deadlock. Then it takes the next version, writes its rows
// and ends with `recordChange`.

const PART_DIFFS_MAX = 2_000

export type Recorded = {
  readonly version: bigint
  readonly reason: string
  readonly touched: Touched
  readonly levelSwitch?: LevelSwitch & { readonly resellerId: bigint }
}

/** Records the touched rows, from which the accounts' events are made, and notifies the nodes. */
export async function recordChange(tx: Tx, change: Recorded): Promise<void> {
  const { version, reason, touched, levelSwitch } = change
  await insertParts(tx, version, encodeTouched(touched, PART_DIFFS_MAX))
  await insertChange(tx, {
    version,
    reason,
    concerned: {
      everyone: isBaseTouched(touched),
      levelCodes: [...new Set(touched.prices.map((diff) => diff.levelCode))],
      resellerIds: levelSwitch === undefined ? ownersOf(touched) : [levelSwitch.resellerId],
    },
    levelSwitch,
  })
  await announceVersion(tx)
}

/** Throws all problems at once, each with its place: `products.NOVA.imageUrl`. */
export function refuse(problems: readonly Problem[]): void {
  if (problems.length === 0) return
  const placed = problems.map(({ resource, id, field, text }) => {
    const place = [resource, id, field].filter((part) => part !== '').join('.')
    return [place, text] as const
  })
  throw invalidCatalog(fieldErrorsOf(placed))
}

export function invalidCatalog(fields: FieldErrors): RequestError {
  return invalidFields(fields, 'The catalogue would not be valid; nothing was changed.')
}

export async function getAccount(tx: Tx, resellerId: bigint): Promise<Reseller> {
  const [account] = await listResellers(tx, { after: resellerId - 1n, limit: 1 })
  if (account?.id === resellerId) return account
  throw new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such reseller.' })
}
