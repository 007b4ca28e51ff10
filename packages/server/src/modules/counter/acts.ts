import { assert, RequestError } from '../../lib/errors.ts'
import { getReseller } from '../accounts/service.ts'
import { act } from '../acts/service.ts'
import type { By } from '../acts/types.ts'
import { FAVOURITE_INPUT, FAVOURITE_KEY } from './codec.ts'
import { listFavourites } from './service.ts'
import { deleteFavourite, insertFavourite, lockFavourites } from './sql.ts'
import type { Favourite } from './types.ts'
import { FAVOURITES_MAX } from './types.ts'

/** Keeps a number for the next sale, for the shop or for oneself. */
export const keepFavourite = act({
  name: 'favourite.add',
  input: FAVOURITE_INPUT,
  async run(tx, { account, name, isShared, product, number, amount = null }, by: By<unknown>) {
    const { id } = await getReseller(tx, account)
    await lockFavourites(tx, id)
    const member = memberOf(by)
    const memberId = isShared ? null : member
    const present = (await listFavourites(tx, id, member)).filter((each) => each.memberId === memberId)
    if (present.length >= FAVOURITES_MAX) return { refuse: full() }
    const result = await insertFavourite(tx, id, {
      memberId,
      name,
      productCode: product,
      account: number,
      amount,
    })
    return { target: { kind: 'favourites', id: account }, before: null, after: loggedOf(result), result }
  },
})

export const dropFavourite = act({
  name: 'favourite.remove',
  input: FAVOURITE_KEY,
  async run(tx, { account, id }, by: By<unknown>) {
    const reseller = await getReseller(tx, account)
    await lockFavourites(tx, reseller.id)
    const result = await deleteFavourite(tx, reseller.id, memberOf(by), id)
    if (result === undefined) return { refuse: unknown() }
    return { target: { kind: 'favourites', id: account }, before: loggedOf(result), after: null, result }
  },
})

function memberOf({ caller }: By<unknown>): bigint {
  assert(caller.kind === 'member', 'favourites are kept by members')
  return caller.userId
}

/** The log outlives the row: it has neither the number nor the name. */
function loggedOf({ id, productCode, memberId }: Favourite) {
  return { id: String(id), product: productCode, shared: memberId === null }
}

function full(): RequestError {
  return new RequestError({
    status: 409,
    code: 'limit_reached',
    publicText: `A shop, and each of its people, has at most ${FAVOURITES_MAX} favourites.`,
  })
}

function unknown(): RequestError {
  return new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such favourite.' })
}
