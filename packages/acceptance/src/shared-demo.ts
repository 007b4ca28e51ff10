import { expect } from 'vitest'
import type { ServiceProcess } from './service.ts'
import { STARTS_PROCESSES } from './starts-processes.ts'

// Set-up of every test file. The files that start processes come first, and share a demo per worker (catalog.ts). When
// a worker comes to the others, its demo has nothing left to do; four idle services take a fifteenth of two cores.

type Shared = { sharedDemo?: Promise<{ readonly service: Pick<ServiceProcess, 'kill9'> }> | undefined }

const worker = globalThis as Shared

if (worker.sharedDemo !== undefined && !STARTS_PROCESSES.test(expect.getState().testPath ?? '')) {
  const ended = worker.sharedDemo
  worker.sharedDemo = undefined
  await (await ended).service.kill9()
}
