import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Service } from '../service.ts'
import { makeDirectory } from '../service.ts'
import type { Simulator } from '../simulator.ts'
import { startSimulator } from '../simulator.ts'
import { addSupplier } from '../suppliers.ts'
import type { TcpProxy } from './tcp-proxy.ts'
import { startTcpProxy } from './tcp-proxy.ts'

// Suppliers behind links, connected by configuration as an operator does it.

const CALLBACK_SECRET = 'signs-what-the-supplier-sends'

/** Longest time that a supplier may take for an order. */
export const SUBMIT_MS = 1_000
/** Time after which “not found” proves that an order will not arrive. No link holds bytes for as long as this. */
const ABSENCE_MS = 3_000

export type FaultySupplier = {
  readonly code: string
  readonly simulator: Simulator
  readonly link: TcpProxy
}

/**
 * Makes a supplier whose callbacks go to this address. `repeats`: whether it takes a reference twice; one that does not
 * gets the order under a new reference, and delivers twice if both arrive.
 */
export async function startSupplier(
  service: Pick<Service, 'warungd'>,
  { code, callbackUrl, repeats }: { code: string; callbackUrl: string; repeats: boolean },
): Promise<FaultySupplier> {
  const secrets = join(await makeDirectory(), 'secrets.json')
  await writeFile(secrets, JSON.stringify({ callback: CALLBACK_SECRET }))
  const url = `${callbackUrl}/callbacks/${code}`
  const simulator = await startSimulator({ args: ['--callback-url', url, '--secrets', secrets] })
  const link = await startTcpProxy({ host: '127.0.0.1', port: Number(new URL(simulator.url).port) })
  const config = {
    base_url: `http://127.0.0.1:${link.port}`,
    timeouts: { submit_ms: SUBMIT_MS, query_ms: SUBMIT_MS },
    not_found_proves_after_ms: ABSENCE_MS,
    repeats_reference: repeats,
  }
  await addSupplier(service, { code, secret: CALLBACK_SECRET, config })
  return { code, simulator, link }
}

/** Routes products: the first supplier takes the order, and the next one when the first certainly did nothing. */
export async function routeTo(
  service: Pick<Service, 'warungd'>,
  product: string,
  providers: readonly string[],
): Promise<void> {
  for (const [index, provider] of providers.entries()) {
    const how = ['--product', product, '--provider', provider, '--priority', String(index + 1)]
    await service.warungd('route', 'set', ...how)
  }
}
