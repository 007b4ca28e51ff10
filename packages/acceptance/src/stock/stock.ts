import { randomBytes } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import type { PayBody, Payer } from '../payments.ts'
import { newRefid, PHONE } from '../payments.ts'
import type { Service } from '../service.ts'
import { makeDirectory, until } from '../service.ts'

// Helpers of the stock tests: PINs, the shelf that has them, and a product that is sold from it.

export const OUT_OF_STOCK = { code: 45, remarks: 'Out_Of_Stock', fields: ['product'] } as const

type Shop = Pick<Service, 'warungd'>

export function newPins(count: number): string[] {
  return Array.from({ length: count }, (_, index) => `${randomBytes(6).readUIntBE(0, 6)}${index}`)
}

export async function writePins(pins: readonly string[]): Promise<string> {
  const path = join(await makeDirectory(), 'pins.csv')
  const lines = pins.map((pin) => `${pin},SN-${pin},20991231\n`)
  await writeFile(path, `pin,serial,expiry\n${lines.join('')}`)
  return path
}

export async function loadPins(shop: Shop, pins: readonly string[]): Promise<void> {
  const file = await writePins(pins)
  const loaded = await shop.warungd(
    'stock',
    'load',
    '--product',
    'PINTEN',
    '--denomination',
    '10',
    '--file',
    file,
  )
  expect(loaded).toMatchObject({ product: 'PINTEN', denomination: 10, items: pins.length })
}

export function pinSale(changes: PayBody = {}): PayBody {
  return { refid: newRefid(), product: 'PINTEN', account: PHONE, amount: 10, ...changes }
}

/** Makes PINTEN a product that is sold from the stock; the shelf is still empty. */
export async function sellFromStock(shop: Shop, payer: Payer): Promise<void> {
  await shop.warungd('provider', 'add', '--code', 'shelf', '--kind', 'stock')
  await shop.warungd('route', 'set', '--product', 'PINTEN', '--provider', 'shelf')
  await until('the node has heard of the route', async () => {
    const answer = await payer.send(pinSale())
    return answer.json<{ data: { remarks: string } }>().data.remarks === OUT_OF_STOCK.remarks
  })
}

export type Count = { free: number; sold: number; spent: number; expired: number; withdrawn: number }

export async function countStock(shop: Shop): Promise<Count> {
  const { stock } = await shop.warungd<{ stock: (Count & { product: string })[] }>('stock', 'list')
  const found = stock.find(({ product }) => product === 'PINTEN')
  if (found === undefined) throw new Error('nothing of PINTEN was ever loaded')
  const { free, sold, spent, expired, withdrawn } = found
  return { free, sold, spent, expired, withdrawn }
}
