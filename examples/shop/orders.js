// Orders of the shop, one file each. An order is written before it is paid, so that a crash cannot lose a payment.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** An order's id is the refid of its payment. */
export const ORDER_ID = /^[0-9a-f-]{36}$/

export function newOrderId() {
  return randomUUID()
}

/** Opens the orders of a folder. */
export function openOrders(folder) {
  // Orders hold PINs: nobody else reads them.
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pathOf = (id) => {
    if (!ORDER_ID.test(id)) throw new Error('this is no order')
    return join(folder, `${id}.json`)
  }
  return {
    /** Returns undefined if there is no such order. */
    find(id) {
      try {
        return JSON.parse(readFileSync(pathOf(id), 'utf8'))
      } catch (error) {
        if (error.code === 'ENOENT') return undefined
        throw error
      }
    },
    /** Creates an order. Returns the existing one when the customer pressed the button twice. */
    create(order) {
      try {
        writeFileSync(pathOf(order.id), JSON.stringify(order), { flag: 'wx', flush: true })
        return order
      } catch (error) {
        if (error.code !== 'EEXIST') throw error
        return this.find(order.id)
      }
    },
    save(order) {
      const path = pathOf(order.id)
      writeFileSync(`${path}.new`, JSON.stringify(order), { flush: true })
      renameSync(`${path}.new`, path)
    },
  }
}
