import { beforeAll, expect, it } from 'vitest'
import { shareDemo } from '../../catalog.ts'
import { createKey, createReseller, expectForbidden, expectProblem } from '../../edge.ts'
import { signed } from '../../http.ts'
import type { Service } from '../../service.ts'

let service: Service

beforeAll(async () => {
  service = (await shareDemo()).service
})

const PATH = '/v2/checkout-settings'
const SETTINGS = {
  display_name: 'Kedai Ali',
  allowed_origins: ['https://shop.example', 'http://localhost:8080'],
  accepts_loss: true,
  theme: {
    accent: '#0a7',
    background: '#ffffff',
    surface: '#fafafa',
    text: '#111',
    radius: '12px',
    font: 'serif',
  },
}

it('an account has settings at first, and reads what it saved', async () => {
  const reseller = await createReseller(service)
  const get = async () =>
    (await signed(service.baseUrl, reseller, { path: PATH })).json<{ data: object }>().data
  expect(await get()).toMatchObject({ display_name: reseller.name, allowed_origins: [], accepts_loss: false })
  const put = await signed(service.baseUrl, reseller, { method: 'PUT', path: PATH, json: SETTINGS })
  expect(put.json()).toEqual({ data: SETTINGS })
  expect(await get()).toEqual(SETTINGS)
})

it.each([
  [{ display_name: '' }, 'display_name'],
  [{ allowed_origins: ['https://shop.example/path'] }, 'allowed_origins.0'],
  [{ allowed_origins: ['*'] }, 'allowed_origins.0'],
  [{ allowed_origins: ["https://shop.example 'unsafe-inline'"] }, 'allowed_origins.0'],
  [{ allowed_origins: Array(21).fill('https://shop.example') }, 'allowed_origins'],
  [{ theme: { ...SETTINGS.theme, accent: 'red;}' } }, 'theme.accent'],
  [{ theme: { ...SETTINGS.theme, radius: '25px' } }, 'theme.radius'],
  [{ theme: { ...SETTINGS.theme, font: 'Comic Sans' } }, 'theme.font'],
])('%j is refused with the field named', async (change, field) => {
  const reseller = await createReseller(service)
  const json = { ...SETTINGS, ...change }
  expectProblem(await signed(service.baseUrl, reseller, { method: 'PUT', path: PATH, json }), 400, [field])
})

it('settings are read by keys with "read" alone, and saved by keys with "configure" alone', async () => {
  const reseller = await createReseller(service, ['read', 'pay'])
  const input = { method: 'PUT', path: PATH, json: SETTINGS }
  expectForbidden(await signed(service.baseUrl, reseller, input), 'insufficient_scope')
  const configuring = await createKey(service, reseller.account, ['configure'])
  expect((await signed(service.baseUrl, configuring, input)).status).toBe(200)
  expectForbidden(await signed(service.baseUrl, configuring, { path: PATH }), 'insufficient_scope')
})
