import { expect, it } from 'vitest'
import { createReseller, expectProblem } from '../../edge.ts'
import { describeConfiguration } from '../webhooks/configuration.ts'
import type { Bench } from '../webhooks/harness.ts'
import { call, callOk } from '../webhooks/harness.ts'
import { describeLog } from '../webhooks/log.ts'

const BASE = '/v2/catalog-webhook'

export function describeCatalogWebhook(bench: () => Bench): void {
  describeConfiguration(bench, BASE)
  // The receiver has no TLS, so the deliveries fail.
  describeLog(bench, BASE, (reseller) =>
    callOk(bench(), reseller, 'PUT', BASE, { url: bench().receiverUrl.replace('http:', 'https:') }),
  )

  it(`${BASE}: plain HTTP will not do, in staging neither`, async () => {
    const reseller = await createReseller(bench().service)
    expectProblem(await call(bench(), reseller, 'PUT', BASE, { url: 'http://shop.example/hook' }), 400, [
      'url',
    ])
  })

  it(`${BASE}/rotate-secret: the old secret may have a grace, of at most a week`, async () => {
    const reseller = await createReseller(bench().service)
    await callOk(bench(), reseller, 'PUT', BASE, { url: 'https://shop.example/hook' })
    const rotate = (json: object) => call(bench(), reseller, 'POST', `${BASE}/rotate-secret`, json)
    for (const grace of [0, 604_801, '60', 1.5, null]) {
      expectProblem(await rotate({ grace_seconds: grace }), 400, ['grace_seconds'])
    }
    expect((await rotate({ grace_seconds: 604_800 })).status).toBe(200)
    expect((await rotate({})).status).toBe(200)
  })
}
