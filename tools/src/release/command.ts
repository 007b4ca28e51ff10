// `npm run release -- VERSION`: builds everything that a release consists of into release/, and checks that each part
// installs and works. It publishes nothing. It needs git, GNU tar, python3 and, for the check, php and pip.
//   --allow-dirty   take a tree with changes that are not committed
//   --no-check      leave the installations out
//   --out DIR       another folder than release/
import type { ExecFileSyncOptions } from 'node:child_process'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { Lock } from '../security/lock.ts'
import { buildSbom } from '../security/sbom.ts'
import { packService } from './tarball.ts'
import { notesOf, obstaclesOf, readVersion } from './version.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'allow-dirty': { type: 'boolean', default: false },
    'no-check': { type: 'boolean', default: false },
    out: { type: 'string', default: join(root, 'release') },
  },
})
const version = readVersion(positionals[0])
if (version === undefined || positionals.length > 1) {
  refuse('Usage: npm run release -- VERSION [--allow-dirty] [--no-check] [--out DIR]')
}
const changes = git('status', '--porcelain').split('\n').filter(Boolean)
const obstacles = obstaclesOf(root, version, options['allow-dirty'] ? [] : changes)
if (obstacles.length > 0)
  refuse(`There is no release ${version} of this tree:`, ...obstacles.map((each) => `  ${each}`))

const out = resolve(options.out)
run('npm', ['run', '--silent', 'build'])
rmSync(out, { recursive: true, force: true })
mkdirSync(out, { recursive: true })
await packService(root, version, out)
for (const name of ['sdk', 'cli'])
  run('npm', ['pack', '--silent', '--pack-destination', out], `packages/${name}`)
run(
  'python3',
  ['-c', 'import sys, wheel_builder; wheel_builder.build_wheel(sys.argv[1])', out],
  'clients/python',
)
archivePhp(`warung-client-php-${version}`)
write(
  `warung-${version}.cdx.json`,
  `${JSON.stringify(buildSbom(JSON.parse(read('package-lock.json')) as Lock), null, 2)}\n`,
)
write('release-notes.md', notesOf(read('CHANGELOG.md'), version) ?? '')
write(
  'SHA256SUMS',
  listFiles()
    .map((name) => `${sha256(name)}  ${name}\n`)
    .join(''),
)
if (!options['no-check']) check()
for (const name of listFiles()) process.stdout.write(`${sizeOf(name)}  ${name}\n`)

/** Archives the PHP client as Composer takes it from a folder of archives. */
function archivePhp(name: string) {
  // A commit of the tree as it is, where it has changes: git archives nothing else.
  const isChanged = git('status', '--porcelain', '--untracked-files=no') !== ''
  const author = ['-c', 'user.name=Warung', '-c', 'user.email=release@localhost']
  const commit = isChanged ? git(...author, 'stash', 'create').trim() : 'HEAD'
  const target = [`--prefix=${name}/`, '-o', join(out, `${name}.zip`)]
  git('archive', '--format=zip', ...target, `${commit}:clients/php`)
}

/** Installs each part into an empty project and uses it. */
function check() {
  run('npm', ['test', '--', 'tools/src/release/release.test.ts'], '.', { WARUNG_TEST_RELEASE: out })
}

function run(program: string, args: readonly string[], folder = '.', env: NodeJS.ProcessEnv = {}) {
  const isTest = program === 'npm' && args[0] === 'test'
  const child: ExecFileSyncOptions = {
    cwd: join(root, folder),
    stdio: ['ignore', isTest ? 'inherit' : 'ignore', 'inherit'],
    env: { ...process.env, ...env },
  }
  execFileSync(program, args, child)
}

function git(...args: string[]) {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' })
}

function read(path: string) {
  return readFileSync(join(root, path), 'utf8')
}

function write(name: string, text: string) {
  writeFileSync(join(out, name), text)
}

function listFiles() {
  return readdirSync(out).sort()
}

function sha256(name: string) {
  return createHash('sha256')
    .update(readFileSync(join(out, name)))
    .digest('hex')
}

function sizeOf(name: string) {
  return `${(statSync(join(out, name)).size / 1000).toFixed(0).padStart(7)} kB`
}

function refuse(...lines: string[]): never {
  process.stderr.write(`${lines.join('\n')}\n`)
  process.exit(1)
}
