import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createReseller, expectProblem, expectUnauthorized } from '../../edge.ts'
import { signed } from '../../http.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, openService, stopServices } from '../../service.ts'
import type { Credentials } from '../../signing.ts'

// Parameters are checked before any lookup, so an empty catalog is enough here.

let database: TestDatabase
let service: Service
let credentials: Credentials

beforeAll(async () => {
  database = await createDatabase()
  service = await openService({ database })
  credentials = await createReseller(service)
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

function get(path: string) {
  return signed(service.baseUrl, credentials, { path })
}

const LONG = 'A'.repeat(201)

describe('GET /v2/catalog', () => {
  it.each([
    ['is_active=maybe', ['is_active']],
    ['is_active=yes', ['is_active']],
    ['is_active=2', ['is_active']],
    ['is_active=%20true', ['is_active']],
    ['include_inactive=maybe', ['include_inactive']],
    ['is_active=maybe&include_inactive=nope', ['include_inactive', 'is_active']],
    // The parameter has no effect, and is checked all the same.
    ['include_inactive=true&is_active=maybe', ['is_active']],
    ['is_active=true&is_active=false', ['is_active']],
    ['product_code=NOVA&product_code=KITA', ['product_code']],
    [`product_code=${LONG}`, ['product_code']],
  ])('%s is refused, naming the parameters at fault', async (query, fields) => {
    expectProblem(await get(`/v2/catalog?${query}`), 400, fields)
  })

  it('takes true and false in any letter case, and parameters that it does not know', async () => {
    for (const query of ['is_active=TRUE', 'is_active=False', 'include_inactive=true', 'colour=red']) {
      expect((await get(`/v2/catalog?${query}`)).status, query).toBe(200)
    }
  })
})

describe('GET /v1/billpay/billers', () => {
  it.each([
    ['limit=0', ['limit']],
    ['limit=-1', ['limit']],
    ['limit=25001', ['limit']],
    ['limit=1e3', ['limit']],
    ['limit=ten', ['limit']],
    ['page=0', ['page']],
    ['page=0&limit=10', ['page']],
    ['page=1.5&limit=x', ['limit', 'page']],
    ['limit=1&limit=2', ['limit']],
    [`biller_code=${LONG}`, ['biller_code']],
    [`suggested_category=${LONG}`, ['suggested_category']],
  ])('%s is refused, naming the parameters at fault', async (query, fields) => {
    expectProblem(await get(`/v1/billpay/billers?${query}`), 400, fields)
  })

  it('is an empty list for an account that has no bill payment', async () => {
    const answer = await get('/v1/billpay/billers')
    expect(answer.status).toBe(200)
    expect(answer.json()).toMatchObject({ data: [], meta: { total: 0, from: null, to: null, last_page: 1 } })
  })
})

describe('requests without credentials', () => {
  it.each([
    '/v2/catalog',
    '/v2/catalog?is_active=maybe',
    '/v2/options?product_code=NOVA&field_id=amount',
    '/v2/options',
    '/v1/billpay/billers',
    '/v2/product-list',
    '/v2/subproducts?product_code=NOVAD',
    '/v2/subproducts',
  ])('%s gives 401 before anything about its parameters', async (path) => {
    expectUnauthorized(await service.get(path), 'unauthorized')
    const forged = { ...credentials, secretBase64: Buffer.alloc(32).toString('base64') }
    const answer = await signed(service.baseUrl, forged, { path })
    expect(answer.status).toBe(401)
    expect(answer.json()).toMatchObject({ error: 'invalid_signature', metadata: { status_code: 401 } })
  })
})
