import { appendFile, mkdir, mkdtemp, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { readBackupAge, readLogAge } from './ages.ts'
import { keepNewest } from './copy.ts'
import type { Manifest } from './folder.ts'
import { listBases, openFolder, pathsIn, readBase, writeManifest } from './folder.ts'
import { parseHistory, parsePosition, parseSegmentName, segmentName } from './positions.ts'
import { planRestore } from './restore.ts'
import type { Archiver } from './sql.ts'

const SEGMENT = 16_777_216
const made: string[] = []
let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'warung-backup-'))
  made.push(folder)
  await openFolder(folder, '1')
})
afterAll(async () => {
  await Promise.all(made.map((path) => rm(path, { recursive: true, force: true })))
})

/** Makes a copy that begins in a segment and ends in the next one. */
async function makeBase(day: number, segment: number, timeline = 1): Promise<string> {
  const name = `202611${String(day).padStart(2, '0')}T000000Z-abcdef`
  const dir = join(pathsIn(folder).base, name)
  await mkdir(dir)
  const position = (number: number) => `0/${(number * SEGMENT).toString(16).toUpperCase()}`
  await writeManifest(dir, {
    format: 2,
    startedAt: `2026-11-${day}T00:00:00.000Z`,
    finishedAt: `2026-11-${day}T00:00:05.000Z`,
    timeline,
    startPosition: position(segment),
    endPosition: position(segment + 1),
    systemId: '1',
    segmentBytes: SEGMENT,
    serverVersion: 180_000,
    content: { serviceVersion: '1', migration: 25, payments: 0, auditHead: null, ledgerHeads: [] },
    directories: [],
    files: [],
  } satisfies Omit<Manifest, 'digest'>)
  return name
}

const nameOf = (number: number, timeline = 1) => segmentName({ timeline, number: BigInt(number) }, SEGMENT)

/** Archives whole segments, and leaves the one behind them unfinished. */
async function archive(first: number, count: number, timeline = 1): Promise<void> {
  const { log, tail } = pathsIn(folder)
  for (let number = first; number < first + count; number += 1) {
    await writeFile(join(log, nameOf(number, timeline)), '')
  }
  await writeFile(join(tail, nameOf(first + count, timeline)), '')
}

it('positions, segments and histories have the form that the server gives them', () => {
  expect(parsePosition('16/B374D848')).toBe(0x16b374d848n)
  expect(() => parsePosition('16')).toThrow('no position')
  const number = parsePosition('16/B374D848') / BigInt(SEGMENT)
  expect(segmentName({ timeline: 3, number }, SEGMENT)).toBe('0000000300000016000000B3')
  expect(parseSegmentName('0000000300000016000000B3', SEGMENT)).toEqual({ timeline: 3, number })
  expect(parseSegmentName('00000003.history', SEGMENT)).toBeUndefined()
  expect(parseSegmentName('0000000300000016000000B3.partial', SEGMENT)).toBeUndefined()
  const text = '1\t0/3000158\tno recovery target specified\n\n2\t0/5000000\tbefore 2026-11-16 06:00:00+00\n'
  expect(parseHistory(text)).toEqual([
    { timeline: 1, endsAt: 0x3000158n },
    { timeline: 2, endsAt: 0x5000000n },
  ])
})

it('a folder is open to its owner alone, and belongs to one server', async () => {
  expect((await stat(folder)).mode & 0o777).toBe(0o700)
  await openFolder(folder, '1')
  await expect(openFolder(folder, '2')).rejects.toThrow('another database server')
})

it('a restore takes the archived log since the copy, and what was not archived yet', async () => {
  await makeBase(10, 3)
  await archive(2, 4)
  // The archiver has taken this one since.
  await writeFile(join(pathsIn(folder).tail, nameOf(5)), '')
  await writeFile(join(pathsIn(folder).log, `${nameOf(3)}.00000028.backup`), '')
  const plan = await planRestore(folder, {})
  expect(plan.segments.map(({ name }) => name)).toEqual([nameOf(3), nameOf(4), nameOf(5)])
  expect(plan.unfinished).toEqual([nameOf(6)])
})

it('a backup that was cut off is no backup, and a changed manifest is found', async () => {
  const name = await makeBase(10, 3)
  const { base } = pathsIn(folder)
  await mkdir(join(base, 'unfinished-1-abc'))
  expect((await listBases(folder)).map((each) => each.name)).toEqual([name])
  const { manifest } = await readBase(folder, name)
  await writeFile(join(base, name, 'manifest.json'), JSON.stringify({ ...manifest, startPosition: '0/0' }))
  await expect(readBase(folder, name)).rejects.toThrow('was changed')
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

it('a copy that a restore gave up is not chosen, does not count and takes no place among those that are kept', async () => {
  const nowMs = Date.parse('2026-11-14T00:00:05Z')
  const kept = await makeBase(10, 3)
  const givenUp = await makeBase(12, 6)
  await archive(3, 6)
  expect((await planRestore(folder, {})).base.name).toBe(givenUp)
  // The database was restored to a moment in segment 5, and its log goes on from there.
  await archive(5, 4, 2)
  const end = (5 * SEGMENT + 99).toString(16).toUpperCase()
  await writeFile(join(pathsIn(folder).log, '00000002.history'), `1\t0/${end}\tbefore the moment\n`)
  const plan = await planRestore(folder, {})
  expect(plan.base.name).toBe(kept)
  expect((await planRestore(folder, { to: new Date('2026-11-13T00:00:00Z') })).base.name).toBe(kept)
  await expect(planRestore(folder, { name: givenUp })).rejects.toThrow('was given up')
  expect(await readBackupAge(folder, 'embedded', nowMs)).toBe(4 * 24 * 3_600_000)
  // The first copy after the restore.
  const next = await makeBase(13, 7, 2)
  expect((await planRestore(folder, {})).base.name).toBe(next)
  expect((await planRestore(folder, { to: new Date('2026-11-12T12:00:00Z') })).base.name).toBe(kept)
  expect(await readBackupAge(folder, 'embedded', nowMs)).toBe(24 * 3_600_000)
  expect(await keepNewest(folder, 2)).toEqual({ backups: 0, segments: 0 })
  expect(await keepNewest(folder, 1)).toMatchObject({ backups: 2 })
  expect((await listBases(folder)).map(({ name }) => name)).toEqual([next])
})

it('a copy between the moments of two restores is given up by the second one', async () => {
  const kept = await makeBase(10, 3)
  const between = await makeBase(11, 5)
  await archive(3, 6)
  await archive(7, 1, 2)
  const { log } = pathsIn(folder)
  const at = (segment: number) => `0/${(segment * SEGMENT + 99).toString(16).toUpperCase()}`
  await writeFile(join(log, '00000002.history'), `1\t${at(7)}\tbefore the moment\n`)
  expect((await planRestore(folder, {})).base.name).toBe(between)
  await archive(4, 2, 3)
  const lines = [`1\t${at(7)}\tbefore the moment`, `2\t${at(4)}\tbefore an earlier one`]
  await writeFile(join(log, '00000003.history'), `${lines.join('\n\n\n')}\n`)
  expect((await planRestore(folder, {})).base.name).toBe(kept)
})

it('the newest copies are kept with the log since the oldest of them', async () => {
  const names = [await makeBase(10, 3), await makeBase(11, 5), await makeBase(12, 6)]
  await archive(2, 6)
  await writeFile(join(pathsIn(folder).log, `${nameOf(3)}.00000028.backup`), '')
  expect(await keepNewest(folder, 4)).toEqual({ backups: 0, segments: 1 })
  expect(await keepNewest(folder, 2)).toEqual({ backups: 1, segments: 3 })
  expect((await listBases(folder)).map(({ name }) => name)).toEqual(names.slice(1))
  expect((await readdir(pathsIn(folder).log)).sort()).toEqual([5, 6, 7].map((number) => nameOf(number)))
})

const NOW_MS = Date.parse('2026-11-12T01:00:05Z')

it('the age of backups is that of the newest trustworthy copy, or of the file that another tool touches', async () => {
  expect(await readBackupAge(folder, 'embedded', NOW_MS)).toBeUndefined()
  expect(await readBackupAge(folder, 'external', NOW_MS)).toBeUndefined()
  await makeBase(11, 3)
  const newest = await makeBase(12, 6)
  expect(await readBackupAge(folder, 'embedded', NOW_MS)).toBe(3_600_000)
  await appendFile(join(pathsIn(folder).base, newest, 'manifest.json'), 'x')
  expect(await readBackupAge(folder, 'embedded', NOW_MS)).toBe(25 * 3_600_000)
  await writeFile(join(folder, 'finished'), '')
  const at = new Date(NOW_MS - 7_000)
  await utimes(join(folder, 'finished'), at, at)
  expect(await readBackupAge(folder, 'external', NOW_MS)).toBe(7_000)
})

/** State of a server that archived the segment before the current one a minute ago. */
const ARCHIVER: Archiver = {
  isOn: true,
  archived: nameOf(4),
  current: nameOf(5),
  archivedAt: new Date(NOW_MS - 60_000),
  failedAt: null,
  isTimed: true,
  segmentBytes: SEGMENT,
}

it.each([
  ['the archive has everything but the segment that is written', {}, 0],
  ['a label of a copy was archived last', { archived: `${nameOf(4)}.00000028.backup` }, 0],
  ['a full segment is not archived', { current: nameOf(6) }, 60_000],
  ['a segment may stay open for ever', { isTimed: false }, 60_000],
  ['nothing was ever archived', { archived: null, archivedAt: null }, undefined],
  ['nothing is archived', { isOn: false }, undefined],
])('the log of another server has its age when %s', async (_, change, expected) => {
  expect(await readLogAge(folder, 'external', { ...ARCHIVER, ...change }, NOW_MS)).toBe(expected)
})

it('the age of the log of the embedded server is that of the copied tail, unless its archiver fails', async () => {
  const at = new Date(NOW_MS - 2_000)
  await utimes(pathsIn(folder).tail, at, at)
  const ageOf = (change: Partial<Archiver>) =>
    readLogAge(folder, 'embedded', { ...ARCHIVER, ...change }, NOW_MS)
  expect(await ageOf({ archived: null, archivedAt: null })).toBe(2_000)
  expect(await ageOf({ current: nameOf(6) })).toBe(2_000)
  const failedAt = new Date(NOW_MS - 1_000)
  expect(await ageOf({ current: nameOf(6), failedAt })).toBe(60_000)
  expect(await ageOf({ archived: null, archivedAt: null, failedAt })).toBeUndefined()
})
