import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { baseName, openFolder, pathsIn, writeManifest } from '../../backup/folder.ts'
import type { Alerts } from '../../modules/alerts/core/service.ts'
import { createAlerts, listAlerts } from '../../modules/alerts/core/service.ts'
import { acceptRestore, recordRestore } from '../../modules/payments/restores/service.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { watchBackups } from './backups.ts'

let test: TestDatabase
let alerts: Alerts
let dir: string

beforeAll(async () => {
  test = await openTestDatabase()
  alerts = createAlerts({ database: test.database, onRaised: () => {} })
  dir = await mkdtemp(join(tmpdir(), 'warung-backup-'))
  await openFolder(dir, '1')
})
afterAll(async () => {
  await test.close()
  await rm(dir, { recursive: true, force: true })
})

const HOUR_MS = 3_600_000

function watch(source: 'embedded' | 'external' = 'embedded') {
  return watchBackups({ config: { dir, ageMaxMs: 26 * HOUR_MS }, source, database: test.database, alerts })
}

async function openKinds(): Promise<string[]> {
  const open = await listAlerts(test.database, { limit: 100, withCleared: false })
  return open.map(({ kind }) => kind).sort()
}

async function makeBackup(finishedAt: Date): Promise<void> {
  const path = join(pathsIn(dir).base, baseName(finishedAt))
  await mkdir(path)
  const at = finishedAt.toISOString()
  await writeManifest(path, {
    ...{ format: 2, startedAt: at, finishedAt: at, timeline: 1, startPosition: '0/0', endPosition: '0/0' },
    ...{ systemId: '1', segmentBytes: 16_777_216, serverVersion: 180_000, directories: [], files: [] },
    content: { serviceVersion: '1', migration: 25, payments: 0, auditHead: null, ledgerHeads: [] },
  })
}

it('without a folder there is no age and no alert', async () => {
  expect(
    await watchBackups({
      config: { dir: undefined, ageMaxMs: 1 },
      source: 'external',
      database: test.database,
      alerts,
    }),
  ).toEqual({
    backup: -1,
    log: -1,
  })
  expect(await openKinds()).toEqual([])
})

it('a backup that is missing or too old raises an alert, as does a log that is not archived; a new one ends it', async () => {
  // The server of the tests archives nothing.
  const log = Number.POSITIVE_INFINITY
  expect(await watch()).toEqual({ backup: Number.POSITIVE_INFINITY, log })
  expect(await openKinds()).toEqual(['backup_log_old', 'backup_old'])
  await makeBackup(new Date(Date.now() - 27 * HOUR_MS))
  expect((await watch()).backup).toBeGreaterThan(26 * 3_600)
  expect(await openKinds()).toEqual(['backup_log_old', 'backup_old'])
  await makeBackup(new Date(Date.now() - HOUR_MS))
  expect((await watch()).backup).toBeGreaterThanOrEqual(3_600)
  expect(await openKinds()).toEqual(['backup_log_old'])
})

it('the file that the operator touches after a copy of their own server is its age', async () => {
  expect((await watch('external')).backup).toBe(Number.POSITIVE_INFINITY)
  const path = join(dir, 'finished')
  await writeFile(path, '')
  const at = new Date(Date.now() - 2 * HOUR_MS)
  await utimes(path, at, at)
  expect(Math.floor((await watch('external')).backup / 3_600)).toBe(2)
})

it('a restore that nobody has accepted is an alert until somebody does', async () => {
  await test.database.transaction((tx) =>
    recordRestore(tx, { restoredTo: new Date(), logReadTo: null, resellerIds: [], later: nothing() }),
  )
  await watch()
  expect(await openKinds()).toContain('restore_open')
  await test.database.transaction((tx) => acceptRestore(tx, { by: 'somebody', reason: 'a test' }))
  await watch()
  expect(await openKinds()).not.toContain('restore_open')
})

async function* nothing(): AsyncGenerator<never> {
  // No log was read.
}
