// Carts of the shop, one file each. A payment of a customer is written before the order is confirmed, so that a crash
// in between cannot lose it.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** A cart's id is the reference of its order. Nobody guesses it: who knows it is the customer. */
export const CART_ID = /^[0-9a-f-]{36}$/

/** Opens the carts of a folder. */
export function openCarts(folder) {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pathOf = (id) => {
    if (!CART_ID.test(id)) throw new Error('this is no cart')
    return join(folder, `${id}.json`)
  }
  const save = (cart) => {
    const path = pathOf(cart.id)
    writeFileSync(`${path}.new`, JSON.stringify(cart), { flush: true })
    renameSync(`${path}.new`, path)
    return cart
  }
  return {
    create: () => save({ id: randomUUID() }),
    /** Returns undefined if there is no such cart. */
    find(id) {
      try {
        return JSON.parse(readFileSync(pathOf(id), 'utf8'))
      } catch (error) {
        if (error.code === 'ENOENT') return undefined
        throw error
      }
    },
    save,
  }
}
