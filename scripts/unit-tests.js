// `npm run test:unit`: runs the tests that need no database, no second process and no compiled service. Further
// arguments go to vitest: `npm run test:unit -- money`.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { isTest, readProject } from '../tools/dist/structure/project.js'
import { listDeep } from './tests/tiers.js'

const SERVER = 'packages/server/src/'
// Files that start PostgreSQL or another process. A test that imports one is not a unit test.
const STARTS_PROCESS = new RegExp(
  `^${SERVER}(testing/database|testing/cluster|testing/command-line|embedded/server|cli/process|demo/seed)\\.ts$`,
)

/** Lists the paths of all unit tests below `rootDir`. */
export function listUnitTests(rootDir) {
  const project = readProject(rootDir)
  const tests = project
    .list(/^packages\/(server|web|forms|checkout|sdk|cli|docs)\/src\/.*\.test\.ts$/)
    .filter(({ path }) => isTest(path))
  return tests
    .filter((file) => !/\.crash\.test\.ts$/.test(file.path) && !spawns(file) && !reaches(project, file))
    .map(({ path }) => path)
}

function spawns({ imports }) {
  return imports.some(({ specifier }) => specifier === 'node:child_process')
}

function reaches(project, file, seen = new Set()) {
  for (const { target, typeOnly } of file.imports) {
    if (target === undefined || typeOnly || seen.has(target)) continue
    seen.add(target)
    if (STARTS_PROCESS.test(target)) return true
    const next = project.files.get(target)
    if (next !== undefined && reaches(project, next, seen)) return true
  }
  return false
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const rootDir = fileURLToPath(new URL('..', import.meta.url))
  const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
  const [filter = ''] = process.argv.slice(2)
  // A filter chooses among all of them; without one the deep tier is left out, as `npm test` does.
  const left = new Set(filter === '' ? listDeep() : [])
  const files = listUnitTests(rootDir).filter((path) => path.includes(filter) && !left.has(path))
  const run = spawn(
    process.execPath,
    [vitest, 'run', '--config', 'vitest.unit.config.ts', ...files, ...process.argv.slice(3)],
    { cwd: rootDir, stdio: 'inherit' },
  )
  run.on('exit', (code) => process.exit(code ?? 1))
}
