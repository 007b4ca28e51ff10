import { appendFile, mkdir, mkdtemp, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { keepNewest } from './base.ts'
import { createHashedFile, hashFile } from './files.ts'
import type { Manifest } from './folder.ts'
import { findIdentity, listBases, openFolder, pathsIn, readAges, readBase, writeManifest } from './folder.ts'
import { segmentName } from './positions.ts'
import { findFaults, planRestore } from './restore.ts'
import { createSegmentWriter, listSegments } from './segments.ts'

const SEGMENT = 1_048_576
const made: string[] = []
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warung-backup-'))
  made.push(folder)
  await openFolder(folder, { systemId: '1', segmentBytes: SEGMENT })
})
afterAll(async () => {
  await Promise.all(made.map((path) => rm(path, { recursive: true, force: true })))
})

/** Makes a copy that begins in a segment and ends in the next one. */
async function makeBase(day: number, segment: number, timeline = 1): Promise<string> {
  const name = `202611${String(day).padStart(2, '0')}T000000Z-abcdef`
  const dir = join(pathsIn(folder).base, name)
  await mkdir(dir)
  const file = await createHashedFile(join(dir, 'base.tar.gz'), 'base.tar.gz')
  await file.write(Buffer.from(`copy ${name}`))
  const position = (number: number) => `0/${(number * SEGMENT).toString(16).toUpperCase()}`
  await writeManifest(dir, {
    format: 1,
    startedAt: `2026-11-${day}T00:00:00.000Z`,
    finishedAt: `2026-11-${day}T00:00:05.000Z`,
    timeline,
    startPosition: position(segment),
    endPosition: position(segment + 1),
    systemId: '1',
    segmentBytes: SEGMENT,
    serverVersion: 180_000,
    source: 'embedded',
    database: 'warung',
    role: 'warung',
    content: { serviceVersion: '1', migration: 25, payments: 0, auditHead: null, ledgerHeads: [] },
    files: [await file.close()],
  } satisfies Omit<Manifest, 'digest'>)
  return name
}

/** Receives whole segments, and half of the one behind them. */
async function receive(first: number, count: number, timeline = 1): Promise<void> {
  const start = BigInt(first * SEGMENT)
  const writer = createSegmentWriter(pathsIn(folder), timeline, start, SEGMENT)
  await writer.write(start, Buffer.alloc(count * SEGMENT, 7))
  await writer.write(start + BigInt(count * SEGMENT), Buffer.alloc(SEGMENT / 2, 8))
  await writer.flush()
  await writer.close()
}

const nameOf = (number: number) => segmentName({ timeline: 1, number: BigInt(number) }, SEGMENT)

it('a folder is open to its owner alone, and belongs to one server', async () => {
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  expect(await findIdentity(folder)).toMatchObject({
    slot: expect.stringMatching(/^warung_backup_[0-9a-f]{12}$/),
  })
  await expect(openFolder(folder, { systemId: '2', segmentBytes: SEGMENT })).rejects.toThrow(
    'another database server',
  )
})

it('a whole backup with its log has no fault', async () => {
  await makeBase(10, 3)
  await receive(3, 3)
  const plan = await planRestore(folder, {})
  expect(plan.segments.map(({ file }) => file)).toEqual([
    nameOf(3),
    nameOf(4),
    nameOf(5),
    `${nameOf(6)}.partial`,
  ])
  expect(await findFaults(plan)).toEqual([])
})

it('one flipped byte is found: in the copy, in a segment of the log, in the manifest', async () => {
  const name = await makeBase(10, 3)
  await receive(3, 2)
  const plan = await planRestore(folder, {})
  const flip = async (path: string) => {
    const { sha256 } = await hashFile(path)
    const handle = await open(path, 'r+')
    const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: 3 })
    await handle.write(Buffer.from([(buffer[0] ?? 0) ^ 1]), 0, 1, 3)
    await handle.close()
    expect((await hashFile(path)).sha256).not.toBe(sha256)
  }
  await flip(join(plan.base.dir, 'base.tar.gz'))
  expect(await findFaults(plan)).toMatchObject([expect.stringContaining('base.tar.gz is damaged')])
  await flip(join(pathsIn(folder).log, nameOf(4)))
  expect(await findFaults(plan)).toHaveLength(2)
  await writeFile(
    join(plan.base.dir, 'manifest.json'),
    JSON.stringify({ ...plan.base.manifest, startPosition: '0/0' }),
  )
  await expect(readBase(folder, name)).rejects.toThrow('was changed')
})

it('a backup that was cut off is no backup', async () => {
  const name = await makeBase(10, 3)
  const { base } = pathsIn(folder)
  await mkdir(join(base, 'unfinished-1-abc'))
  expect((await listBases(folder)).map((each) => each.name)).toEqual([name])
  await rename(join(base, name, 'manifest.json'), join(base, name, 'gone'))
  await expect(planRestore(folder, { name })).rejects.toThrow('cut off')
})

it('the newest backup before the moment is restored, and a moment before all of them is refused', async () => {
  const names = [await makeBase(10, 3), await makeBase(12, 6)]
  const planAt = async (to: string) => (await planRestore(folder, { to: new Date(to) })).base.name
  expect(await planAt('2026-11-11T00:00:00Z')).toBe(names[0])
  expect(await planAt('2026-11-12T00:00:06Z')).toBe(names[1])
  // The second one began before this moment and was not finished.
  expect(await planAt('2026-11-12T00:00:04Z')).toBe(names[0])
  await expect(planAt('2026-11-10T00:00:04Z')).rejects.toThrow('oldest backup')
})

it('a gap in the log is a fault, and the log behind it is not used', async () => {
  await makeBase(10, 3)
  await receive(3, 2)
  await rm(join(pathsIn(folder).log, `${nameOf(5)}.partial`))
  await receive(7, 1)
  const plan = await planRestore(folder, {})
  expect(plan.segments.map(({ file }) => file)).toEqual([nameOf(3), nameOf(4)])
  expect(await findFaults(plan)).toEqual([expect.stringContaining(nameOf(5))])
})

it('a log that begins behind the end of the copy has a gap', async () => {
  await makeBase(10, 3)
  await receive(6, 1)
  expect(await findFaults(await planRestore(folder, {}))).toEqual([expect.stringContaining(nameOf(4))])
})

it('the log of a timeline goes on with the one that replaced it', async () => {
  await makeBase(10, 3)
  await receive(3, 6)
  await receive(5, 2, 2)
  const plan = await planRestore(folder, {})
  expect(plan.segments.map(({ timeline, number }) => `${timeline}:${number}`)).toEqual([
    '1:3',
    '1:4',
    '2:5',
    '2:6',
    '2:7',
  ])
  expect(await findFaults(plan)).toEqual([])
})

it('a copy that a restore gave up is not chosen, does not count and takes no place among those that are kept', async () => {
  const nowMs = Date.parse('2026-11-14T00:00:05Z')
  const kept = await makeBase(10, 3)
  const givenUp = await makeBase(12, 6)
  await receive(3, 6)
  expect((await planRestore(folder, {})).base.name).toBe(givenUp)
  // The database was restored to a moment in segment 5, and its log goes on from there.
  await receive(5, 4, 2)
  const end = (5 * SEGMENT + 99).toString(16).toUpperCase()
  await writeFile(join(pathsIn(folder).log, '00000002.history'), `1\t0/${end}\tbefore the moment\n`)
  const plan = await planRestore(folder, {})
  expect(plan.base.name).toBe(kept)
  expect(await findFaults(plan)).toEqual([])
  expect((await planRestore(folder, { to: new Date('2026-11-13T00:00:00Z') })).base.name).toBe(kept)
  await expect(planRestore(folder, { name: givenUp })).rejects.toThrow('was given up')
  expect((await readAges(folder, nowMs)).backupMs).toBe(4 * 24 * 3_600_000)
  // The first copy after the restore.
  const next = await makeBase(13, 7, 2)
  expect((await planRestore(folder, {})).base.name).toBe(next)
  expect((await planRestore(folder, { to: new Date('2026-11-12T12:00:00Z') })).base.name).toBe(kept)
  expect((await readAges(folder, nowMs)).backupMs).toBe(24 * 3_600_000)
  expect(await keepNewest(folder, 2)).toEqual({ backups: 0, segments: 0 })
  expect(await keepNewest(folder, 1)).toMatchObject({ backups: 2 })
  expect((await listBases(folder)).map(({ name }) => name)).toEqual([next])
})

it('a copy between the moments of two restores is given up by the second one', async () => {
  const kept = await makeBase(10, 3)
  const between = await makeBase(11, 5)
  await receive(3, 6)
  await receive(7, 1, 2)
  const { log } = pathsIn(folder)
  const at = (segment: number) => `0/${(segment * SEGMENT + 99).toString(16).toUpperCase()}`
  await writeFile(join(log, '00000002.history'), `1\t${at(7)}\tbefore the moment\n`)
  expect((await planRestore(folder, {})).base.name).toBe(between)
  await receive(4, 2, 3)
  const lines = [`1\t${at(7)}\tbefore the moment`, `2\t${at(4)}\tbefore an earlier one`]
  await writeFile(join(log, '00000003.history'), `${lines.join('\n\n\n')}\n`)
  expect((await planRestore(folder, {})).base.name).toBe(kept)
})

it('the newest copies are kept with the log since the oldest of them', async () => {
  await makeBase(10, 3)
  await makeBase(11, 5)
  await makeBase(12, 6)
  await receive(3, 4)
  expect(await keepNewest(folder, 2)).toEqual({ backups: 1, segments: 2 })
  expect((await listBases(folder)).map(({ manifest }) => manifest.startedAt.slice(8, 10))).toEqual([
    '11',
    '12',
  ])
  expect((await listSegments(pathsIn(folder).log, SEGMENT)).map(({ file }) => file)).toEqual([
    nameOf(5),
    nameOf(6),
    `${nameOf(7)}.partial`,
  ])
  expect(await findFaults(await planRestore(folder, { to: new Date('2026-11-11T12:00:00Z') }))).toEqual([])
})

it('a segment that was received in part is received again without a loss', async () => {
  await receive(3, 1)
  await receive(3, 2)
  const segments = await listSegments(pathsIn(folder).log, SEGMENT)
  expect(segments.map(({ file }) => file)).toEqual([nameOf(3), nameOf(4), `${nameOf(5)}.partial`])
  expect((await readdir(pathsIn(folder).log)).filter((name) => name.endsWith('.partial'))).toHaveLength(1)
})

it.each(['a1b2', `${'a'.repeat(64)}  `, `${'b'.repeat(64)}  0000000100`])(
  'a sum whose line was cut off (%j) is no fault of the next one',
  async (torn) => {
    await makeBase(10, 3)
    await appendFile(pathsIn(folder).sums, torn)
    await receive(3, 2)
    expect(await findFaults(await planRestore(folder, {}))).toEqual([])
  },
)

it('ages are those of the newest trustworthy copy and of the log', async () => {
  const nowMs = Date.parse('2026-11-12T01:00:05Z')
  expect(await readAges(folder, nowMs)).toEqual({ backupMs: undefined, logMs: undefined })
  await makeBase(11, 3)
  const newest = await makeBase(12, 6)
  await writeFile(pathsIn(folder).received, JSON.stringify({ at: '2026-11-12T01:00:00Z' }))
  expect(await readAges(folder, nowMs)).toEqual({ backupMs: 3_600_000, logMs: 5_000 })
  await appendFile(join(pathsIn(folder).base, newest, 'manifest.json'), 'x')
  expect(await readAges(folder, nowMs)).toEqual({ backupMs: 25 * 3_600_000, logMs: 5_000 })
})
