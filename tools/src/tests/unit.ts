// `npm run test:unit`: runs the tests that need no database, no second process and no compiled service. Further
// arguments go to vitest: `npm run test:unit -- money`.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Project, SourceFile } from '../structure/project.ts'
import { isTest, readProject } from '../structure/project.ts'
import { listDeep, ROOT } from './tiers.ts'

const SERVER = 'packages/server/src/'
// Files that start PostgreSQL or another process. A test that imports one is not a unit test.
const STARTS_PROCESS = new RegExp(
  `^${SERVER}(testing/database|testing/cluster|testing/command-line|embedded/server|cli/process|demo/seed)\\.ts$`,
)

/** Lists the paths of all unit tests. */
function listUnitTests() {
  const project = readProject(ROOT)
  const tests = project
    .list(/^packages\/(server|web|forms|checkout|sdk|cli|docs)\/src\/.*\.test\.ts$/)
    .filter(({ path }) => isTest(path))
  return tests
    .filter((file) => !/\.crash\.test\.ts$/.test(file.path) && !spawns(file) && !reaches(project, file))
    .map(({ path }) => path)
}

function spawns({ imports }: SourceFile) {
  return imports.some(({ specifier }) => specifier === 'node:child_process')
}

function reaches(project: Project, file: SourceFile, seen = new Set<string>()): boolean {
  for (const { target, typeOnly } of file.imports) {
    if (target === undefined || typeOnly || seen.has(target)) continue
    seen.add(target)
    if (STARTS_PROCESS.test(target)) return true
    const next = project.files.get(target)
    if (next !== undefined && reaches(project, next, seen)) return true
  }
  return false
}

const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs')
const [filter = '', ...more] = process.argv.slice(2)
// A filter chooses among all of them; without one the deep tier is left out, as `npm test` does.
const left = new Set(filter === '' ? listDeep() : [])
const files = listUnitTests().filter((path) => path.includes(filter) && !left.has(path))
const args = [vitest, 'run', '--config', 'vitest.unit.config.ts', ...files, ...more]
const run = spawn(process.execPath, args, { cwd: ROOT, stdio: 'inherit' })
run.on('exit', (code) => process.exit(code ?? 1))
