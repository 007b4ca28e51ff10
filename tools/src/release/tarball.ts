// Tarball of the service: what `npm run build` made, in the folders that it has in a checkout, so that the same paths
// lead to it. The pages and the documentation are built, and the service is bundled: no compiler is in it, and of the
// packages only those with machine code or data.
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Lock } from '../security/lock.ts'
import { entryOf, nameOf, needsOf, resolvePackage } from '../security/lock.ts'
import { bundleService, CARRIED } from './program.ts'

/** Members of a package.json that a release reads. */
type Manifest = Record<
  'name' | 'version' | 'description' | 'license' | 'homepage' | 'repository' | 'bugs' | 'engines',
  unknown
> & { dependencies: Record<string, string>; optionalDependencies: Record<string, string> }

const SERVER = 'packages/server'
const CONTENTS = [
  'CHANGELOG.md',
  'LICENSE',
  'README.md',
  'SECURITY.md',
  'deploy',
  'docs/examples',
  'packages/checkout/dist',
  'packages/docs/dist/site',
  'packages/web/dist',
  `${SERVER}/bin`,
  `${SERVER}/examples`,
  `${SERVER}/fonts`,
  `${SERVER}/functions`,
  `${SERVER}/migrations`,
  `${SERVER}/package.json`,
]
/** Files for compilers and debuggers, and settings with secrets that lie beside their examples. */
const LEFT_OUT = /\.[cm]?ts$|\.map$|\.a$|^\.env$|^tsconfig\.json$|\.tsbuildinfo$/
/** Packages whose code is in the files of the dashboard and of the checkout. */
const IN_PAGES = ['@tanstack/react-query', '@tanstack/react-router', 'preact', 'react', 'uqr']

/** Writes `warung-VERSION.tgz` into a folder; returns its path. */
export async function packService(root: string, version: string, target: string): Promise<string> {
  const lock = readJson<Lock>(join(root, 'package-lock.json'))
  const parent = mkdtempSync(join(tmpdir(), 'warung-release-'))
  try {
    const stage = join(parent, `warung-${version}`)
    for (const path of CONTENTS) copy(root, stage, path)
    await bundleService(join(root, SERVER, 'dist'), join(stage, SERVER, 'dist'))
    const packages = packagesOf(lock, SERVER, [...CARRIED, ...Object.keys(embeddedServers(root))])
    const carried = packages.filter((path) => existsSync(join(root, path)))
    const missing = packages.filter(
      (path) => entryOf(lock, path).optional !== true && !carried.includes(path),
    )
    if (missing.length > 0) throw new Error(`not installed: ${missing.join(', ')}; run npm ci`)
    for (const path of carried) copy(root, stage, path)
    writeManifests(root, stage, lock, { packages, carried })
    writeFileSync(join(stage, 'THIRD-PARTY-LICENSES.txt'), licencesOf(root, lock))
    mkdirSync(join(stage, 'bin'))
    cpSync(join(root, 'tools/data/warungd.cjs'), join(stage, 'bin/warungd'))
    chmodSync(join(stage, 'bin/warungd'), 0o755)
    return archive(root, stage, target)
  } finally {
    rmSync(parent, { recursive: true, force: true })
  }
}

function copy(root: string, stage: string, path: string) {
  if (!existsSync(join(root, path))) throw new Error(`${path} is missing; does npm run build make it?`)
  const source = join(root, path)
  mkdirSync(dirname(join(stage, path)), { recursive: true })
  cpSync(source, join(stage, path), { recursive: true, filter: (from) => from === source || isWanted(from) })
}

/**
 * Tells whether a release has a file or folder. npm unpacks no links, and the service makes those of PostgreSQL itself.
 * Packages inside a package have a path of their own in the lock file.
 */
function isWanted(path: string) {
  const name = basename(path)
  return !LEFT_OUT.test(name) && name !== 'node_modules' && !lstatSync(path).isSymbolicLink()
}

function embeddedServers(root: string) {
  return readJson<Manifest>(join(root, SERVER, 'package.json')).optionalDependencies
}

/** Lists the packages that a workspace needs under these names, with all that those need, by their path in the lock. */
function packagesOf(lock: Lock, workspace: string, names: readonly string[]) {
  const seen = new Set<string>()
  const add = (from: string, name: string) => {
    const found = resolvePackage(lock, from, name)
    if (found === undefined || seen.has(found)) return
    if (!found.startsWith('node_modules/'))
      throw new Error(`${found}: a release has its packages at its root`)
    seen.add(found)
    const { peerDependencies = {}, ...entry } = entryOf(lock, found)
    for (const next of [...needsOf(entry), ...Object.keys(peerDependencies)]) add(found, next)
  }
  for (const name of names) add(workspace, name)
  return [...seen].sort()
}

/** Collects the licences of the packages whose code is inside the bundled files. Carried packages have theirs. */
function licencesOf(root: string, lock: Lock) {
  const inService = packagesOf(lock, SERVER, needsOf(entryOf(lock, SERVER)))
  const packages = new Set([...inService, ...packagesOf(lock, 'packages/web', IN_PAGES)])
  const texts = [...packages].sort().map((path) => {
    const folder = join(root, path)
    const names = existsSync(folder)
      ? readdirSync(folder).filter((name) => /^(licen[cs]e|notice)/i.test(name))
      : []
    const { version, license } = entryOf(lock, path)
    const title = `${nameOf(lock, path)} ${version} (${license})`
    return [title, ...names.map((name) => readFileSync(join(folder, name), 'utf8').trim())].join('\n\n')
  })
  return `${texts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`
}

/**
 * Writes package.json and npm-shrinkwrap.json. Packages of this platform are carried. npm takes those of another
 * platform from a registry, in the version and with the hash of the lock file.
 */
function writeManifests(
  root: string,
  stage: string,
  lock: Lock,
  { packages, carried }: { packages: readonly string[]; carried: readonly string[] },
) {
  const { name, version, description, license, engines, ...project } = readJson<Manifest>(
    join(root, 'package.json'),
  )
  const needed = readJson<Manifest>(join(root, SERVER, 'package.json')).dependencies
  const manifest = {
    name,
    version,
    description,
    license,
    homepage: project.homepage,
    repository: project.repository,
    bugs: project.bugs,
    engines,
    bin: { warungd: 'bin/warungd' },
    dependencies: Object.fromEntries(CARRIED.map((each) => [each, needed[each]])),
    optionalDependencies: embeddedServers(root),
    bundleDependencies: carried
      .filter((path) => path.lastIndexOf('node_modules/') === 0)
      .map((path) => path.slice('node_modules/'.length)),
  }
  const entries = packages.map((path) => {
    const { dev: _, devOptional: __, ...entry } = entryOf(lock, path)
    return [path, carried.includes(path) ? { ...entry, inBundle: true } : entry]
  })
  writeJson(join(stage, 'package.json'), manifest)
  writeJson(join(stage, 'npm-shrinkwrap.json'), {
    name,
    version,
    lockfileVersion: lock.lockfileVersion,
    requires: true,
    packages: Object.fromEntries([['', manifest], ...entries]),
  })
}

/** Archives the folder with the time of the commit and root as the owner: the same commit makes the same file. */
function archive(root: string, stage: string, target: string) {
  const commitTime = execFileSync('git', ['log', '-1', '--format=%ct'], {
    cwd: root,
    encoding: 'utf8',
  }).trim()
  const file = join(target, `${basename(stage)}.tgz`)
  const unpacked = `${stage}.tar`
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u+rw,go+r,go-w']
  const order = ['--sort=name', '--format=ustar', `--mtime=@${commitTime}`]
  execFileSync('tar', [...order, ...owner, '-cf', unpacked, '-C', dirname(stage), basename(stage)])
  writeFileSync(file, gzipSync(readFileSync(unpacked), { level: 9 }))
  return file
}

function readJson<T>(path: string) {
  return JSON.parse(readFileSync(path, 'utf8')) as T
}

function writeJson(path: string, value: unknown) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}
