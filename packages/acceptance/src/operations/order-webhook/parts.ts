import { expect, it } from 'vitest'
import { createReseller } from '../../edge.ts'
import { describeConfiguration } from '../webhooks/configuration.ts'
import type { Bench } from '../webhooks/harness.ts'
import { call, callOk } from '../webhooks/harness.ts'
import { describeLog } from '../webhooks/log.ts'

const BASE = '/v2/order-webhook'

export function describeOrderWebhook(bench: () => Bench): void {
  describeConfiguration(bench, BASE)
  describeLog(bench, BASE, (reseller) =>
    callOk(bench(), reseller, 'PUT', BASE, { url: `${bench().receiverUrl}/400` }),
  )

  it(`${BASE}: plain HTTP will do in staging, and the old secret may have a grace`, async () => {
    const reseller = await createReseller(bench().service)
    await callOk(bench(), reseller, 'PUT', BASE, { url: 'http://shop.example/hook' })
    const rotated = await call(bench(), reseller, 'POST', `${BASE}/rotate-secret`, { grace_seconds: 60 })
    expect(rotated.status).toBe(200)
  })
}
