import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { shareDemo } from '../catalog.ts'
import { newRefid } from '../payments.ts'
import type { Shop } from './members.ts'
import { dataOf, openShop } from './members.ts'

type Numbers = {
  favourites: { id: string; name: string; number: string }[]
  recents: { number: string; amount: string; is_own: boolean }[]
}

const FAVOURITE = { name: 'Mak Cik Ros', is_shared: false, product: 'NOVA', number: '0123456789' }

let demo: Demo
let shop: Shop

beforeAll(async () => {
  demo = await shareDemo()
  shop = await openShop(demo.service, '100')
})
afterAll(() => demo?.end())

const numbersOf = async (member: Shop['viewer']) => dataOf<Numbers>(await member.get('/sell/numbers'))
const namesOf = async (member: Shop['viewer']) => (await numbersOf(member)).favourites.map(({ name }) => name)

it('one’s own favourite is seen by oneself alone, and that of the shop by all its people and no other shop', async () => {
  const { id } = dataOf<{ id: string }>(await shop.admin.send('POST', '/sell/favourites', FAVOURITE))
  dataOf(await shop.admin.send('POST', '/sell/favourites', { ...FAVOURITE, name: 'Shop', is_shared: true }))
  expect(await namesOf(shop.admin)).toEqual(['Mak Cik Ros', 'Shop'])
  expect(await namesOf(shop.viewer)).toEqual(['Shop'])
  const other = await openShop(demo.service, null)
  expect(await namesOf(other.admin)).toEqual([])
  expect((await other.admin.send('DELETE', `/sell/favourites/${id}`)).status).toBe(404)
  expect((await shop.admin.send('DELETE', `/sell/favourites/${id}`)).status).toBe(200)
  expect(await namesOf(shop.admin)).toEqual(['Shop'])
})

it('a favourite is refused past fifty, and with a member that it does not have', async () => {
  const { admin } = await openShop(demo.service, null)
  for (let index = 0; index < 50; index += 1) dataOf(await admin.send('POST', '/sell/favourites', FAVOURITE))
  expect((await admin.send('POST', '/sell/favourites', FAVOURITE)).status).toBe(409)
  dataOf(await admin.send('POST', '/sell/favourites', { ...FAVOURITE, is_shared: true }))
  expect((await admin.send('POST', '/sell/favourites', { ...FAVOURITE, amout: '10' })).status).toBe(400)
})

it('a number that was paid for is a recent one, of whoever sold to it', async () => {
  const body = { refid: newRefid(), product: 'KITA', account: '0132345670', amount: 20 }
  expect((await shop.admin.send('POST', '/sell/payments', body)).status).toBe(200)
  const recent = { number: '0132345670', amount: '20.00' }
  expect((await numbersOf(shop.admin)).recents).toMatchObject([{ ...recent, is_own: true }])
  expect((await numbersOf(shop.viewer)).recents).toMatchObject([{ ...recent, is_own: false }])
})
