import { access } from 'node:fs/promises'
import { expect } from 'vitest'
import { send } from '../http.ts'
import { findPostmaster, pidFileOf } from '../process.ts'
import type { ServiceProcess } from '../service.ts'
import type { Credentials } from '../signing.ts'
import { signRequest } from '../signing.ts'

// Helpers for the life of a service in one data directory.

/** Pays into the wallet of the demo's first reseller. */
export async function deposit(service: ServiceProcess, amount: string): Promise<void> {
  const [reseller] = service.demo.resellers
  const money = ['--amount', amount, '--remarks', 'Acceptance']
  await service.warungd('deposit', '--reseller', reseller?.account ?? '', ...money)
}

export async function isMissing(path: string): Promise<boolean> {
  return access(path).then(
    () => false,
    (error: NodeJS.ErrnoException) => error.code === 'ENOENT',
  )
}

/** Expects the database server of a directory to have stopped, and not to have been killed. */
export async function expectCleanlyStopped(dataDir: string): Promise<void> {
  expect(await findPostmaster(dataDir)).toBeUndefined()
  // PostgreSQL removes the file at a normal stop, and leaves it when it is killed.
  expect(await isMissing(await pidFileOf(dataDir))).toBe(true)
}

/** Spends a nonce. */
export function spend(service: ServiceProcess, credentials: Credentials, nonce: string) {
  const headers = { ...signRequest({ ...credentials, method: 'GET', nonce }) }
  return send({ baseUrl: service.baseUrl, path: '/v2/balance', headers })
}
