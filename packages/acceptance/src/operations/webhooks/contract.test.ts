import { afterAll, beforeAll } from 'vitest'
import type { TestReseller } from '../../edge.ts'
import { createReseller } from '../../edge.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, openService, stopServices } from '../../service.ts'
import { describeBalanceWebhook } from '../balance-webhook/parts.ts'
import { describeCallbackUrl } from '../callback-url/parts.ts'
import { describeCatalogWebhook } from '../catalog-webhook/parts.ts'
import { describeOrderWebhook } from '../order-webhook/parts.ts'
import type { Bench, Receiver } from './harness.ts'
import { ENVIRONMENT, startReceiver } from './harness.ts'

let database: TestDatabase
let service: Service
let receiver: Receiver
let refused: Promise<TestReseller> | undefined

beforeAll(async () => {
  database = await createDatabase()
  receiver = await startReceiver()
  service = await openService({ database, environment: ENVIRONMENT })
})

afterAll(async () => {
  await stopServices()
  await receiver?.close()
  await database?.drop()
})

const bench = (): Bench => ({
  service,
  receiverUrl: receiver.url,
  refused() {
    refused ??= createReseller(service)
    return refused
  },
})

describeCallbackUrl(bench)
describeBalanceWebhook(bench)
describeCatalogWebhook(bench)
describeOrderWebhook(bench)
