import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { claimDataDir } from './claim.ts'
import { AlreadyRunningError } from './errors.ts'
import { identifySelf } from './process.ts'
import { waitUntil } from './wait.ts'

let base: string
let dataDir: string

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'warung-claim-'))
  dataDir = join(base, 'data')
})

afterEach(async () => {
  await rm(base, { recursive: true, force: true })
})

async function writeOwner(generation: number, owner: unknown): Promise<string> {
  await mkdir(dataDir, { recursive: true })
  const path = join(dataDir, `owner.${generation}.json`)
  await writeFile(path, JSON.stringify(owner))
  return path
}

async function catchRefusal(): Promise<AlreadyRunningError> {
  try {
    await claimDataDir(dataDir)
  } catch (error) {
    if (error instanceof AlreadyRunningError) return error
    throw error
  }
  throw new Error('the claim was given')
}

test('a second claim is refused, with the pid of the owner and what it said about itself', async () => {
  const claim = await claimDataDir(dataDir)
  expect((await catchRefusal()).ownerNote).toBeUndefined()
  await claim.describe('http://localhost:3000')
  const refusal = await catchRefusal()
  expect(refusal.ownerPid).toBe(process.pid)
  expect(refusal.ownerNote).toBe('http://localhost:3000')
  expect(refusal.message).toContain('http://localhost:3000')
  await claim.release()
})

test('a released claim can be taken at once, again and again, and old files do not pile up', async () => {
  for (let round = 0; round < 5; round += 1) {
    const claim = await claimDataDir(dataDir)
    await claim.release()
    await claim.release()
  }
  expect((await readdir(dataDir)).sort()).toEqual(['owner.4.json', 'owner.5.json'])
})

test('a living process that got the pid of a dead owner is not taken for it', async () => {
  const self = await identifySelf()
  await writeOwner(7, { owner: { ...self, startedAt: '1' } })
  const claim = await claimDataDir(dataDir)
  expect((await catchRefusal()).ownerPid).toBe(process.pid)
  await claim.release()
})

test('a number that was judged long ago loses against a higher one', async () => {
  await writeOwner(9, { owner: await identifySelf(), note: 'the highest' })
  await writeOwner(3, { owner: { ...(await identifySelf()), startedAt: '1' } })
  expect((await catchRefusal()).ownerNote).toBe('the highest')
})

test('a file that a power failure emptied is taken over', async () => {
  await mkdir(dataDir, { recursive: true })
  await writeFile(join(dataDir, 'owner.1.json'), '')
  const claim = await claimDataDir(dataDir)
  expect(JSON.parse(await readFile(join(dataDir, 'owner.2.json'), 'utf8')).owner.pid).toBe(process.pid)
  await claim.release()
})

describe('an owner in another container, whose pid says nothing here', () => {
  const elsewhere = { owner: { pid: 1, startedAt: '1', scope: 'elsewhere' }, note: 'far away' }

  test('is respected while it gives signs of life', async () => {
    const path = await writeOwner(1, elsewhere)
    const beating = setInterval(() => utimes(path, new Date(), new Date()), 300)
    try {
      expect((await catchRefusal()).ownerNote).toBe('far away')
    } finally {
      clearInterval(beating)
    }
  })

  test('is followed once it is silent', async () => {
    await writeOwner(1, elsewhere)
    const startedAt = performance.now()
    const claim = await claimDataDir(dataDir)
    expect(performance.now() - startedAt).toBeGreaterThan(5_000)
    await claim.release()
  })

  test('is not followed by one who waited for its silence while others came and went', async () => {
    const path = await writeOwner(1, elsewhere)
    await utimes(path, new Date(0), new Date())
    const refusal = catchRefusal()
    await waitUntil(async () => (await stat(path)).atimeMs > 0, 60_000)
    // The second owner came, left, and its file was removed by the third while the first was still being watched.
    await writeOwner(3, { owner: await identifySelf(), note: 'the third' })
    await rm(path)
    expect((await refusal).ownerNote).toBe('the third')
    expect(await readdir(dataDir)).toEqual(['owner.3.json'])
  })

  test('is followed without being watched when it has been silent for long', async () => {
    const path = await writeOwner(1, elsewhere)
    const long = new Date(Date.now() - 3_600_000)
    await utimes(path, long, long)
    const claim = await claimDataDir(dataDir)
    await claim.release()
  })
})

test('a new data directory lets nobody but its owner look into it', async () => {
  const claim = await claimDataDir(dataDir)
  expect((await stat(dataDir)).mode & 0o066).toBe(0)
  await claim.release()
})

test('a data directory that holds something keeps its mode', async () => {
  await mkdir(dataDir, { mode: 0o700 })
  await writeFile(join(dataDir, 'somebody'), '')
  await chmod(dataDir, 0o700)
  const claim = await claimDataDir(dataDir)
  expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
  await claim.release()
})

test('a data directory that cannot be made says so', async () => {
  await writeFile(join(base, 'file'), '')
  await expect(claimDataDir(join(base, 'file', 'data'))).rejects.toThrow(/cannot make the data directory/)
})
