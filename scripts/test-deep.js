// `npm run test:deep [-- PART…]`: what a release and a night must pass beside `npm test`. Without names it runs every
// part, in this order, and says at the end which of them failed.
//
//   --sample   runs a part of the files and one further part; the day of the year chooses both
//   --list     prints the parts, and each file with the reason why `npm test` does without it
//   --record   writes the time of each file into tests/times.csv
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { DEEP } from './tests/deep-files.js'
import { fetchNode } from './tests/node-release.js'
import { runTests } from './tests/run.js'
import { deal, listDeep, readTimes } from './tests/tiers.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Seconds of files in a sample, added up over the workers: about two minutes of two cores. */
const SAMPLE_SECONDS = 500
const DAY_MS = 86_400_000

const OPERATIONS = 'packages/acceptance/src/operations'
/** The signed API from its edge to a payment: enough to notice another runtime, or another reader of requests. */
const EDGE = ['limits', 'headers', 'input', 'topup'].map((folder) => `${OPERATIONS}/${folder}`)

const MONEY_PROPERTIES = [
  'outcomes.service.property',
  'resolve.sql.property',
  'intake.sql.property',
  'balance/service.property',
]

/** Parts by name. `run` gets true for a sample, and returns an exit code. */
const PARTS = {
  files: {
    text: 'the test files of the deep tier',
    run: ({ isSample, records }) =>
      runTests(isSample ? sampleOfToday() : [], { tier: 'deep', repeats: true, records }),
  },
  properties: {
    text: 'the property tests with all of their cases',
    run: ({ isSample }) =>
      runTests(isSample ? MONEY_PROPERTIES : ['.property.test'], { env: { WARUNG_TEST_RUNS: 'all' } }),
  },
  looks: {
    text: 'every page by axe, light and dark',
    run: () =>
      runTests(['packages/acceptance/src/dashboard/screens.test.ts'], { env: { WARUNG_TEST_LOOKS: 'all' } }),
  },
  schema: {
    text: 'the tests of the server in a schema of another name',
    run: ({ isSample }) =>
      runTests(isSample ? MONEY_PROPERTIES : ['packages/server/src'], {
        env: { WARUNG_TEST_SCHEMA: 'elsewhere' },
      }),
  },
  wire: {
    text: "the contract tests without the service's own reader of requests (WARUNG_WIRE=node)",
    run: ({ isSample }) =>
      runTests(isSample ? EDGE.slice(0, 3) : [OPERATIONS], { env: { WARUNG_TEST_WIRE: 'node' } }),
  },
  node22: { text: 'the contract tests on Node 22', run: (given) => onNode('22', given) },
  node24: { text: 'the contract tests on Node 24', run: (given) => onNode('24', given) },
  faults: {
    text: 'the fault harness',
    run: ({ isSample }) => script('faults.js', '--minutes', isSample ? '0.5' : '5'),
  },
  fuzz: { text: 'the fuzzer', run: ({ isSample }) => script('fuzz.js', '--minutes', isSample ? '0.5' : '5') },
  model: { text: "the model of a payment's life", run: () => script('model.js') },
  cluster: {
    text: 'the cluster: servers killed, links cut',
    run: () => script('test-cluster.js'),
    isLong: true,
  },
  handbook: {
    text: 'the handbook, typed on an empty Debian',
    run: () => script('handbook.js'),
    isLong: true,
  },
}

const { values, positionals } = parseArgs({
  options: { sample: { type: 'boolean' }, list: { type: 'boolean' }, record: { type: 'boolean' } },
  allowPositionals: true,
})
const unknown = positionals.filter((name) => PARTS[name] === undefined)
if (unknown.length > 0) {
  process.stderr.write(`no part ${unknown.join(', ')}; the parts: ${Object.keys(PARTS).join(', ')}\n`)
  process.exit(2)
}
if (values.list) {
  list()
  process.exit(0)
}

const isSample = values.sample === true
const wanted = positionals.length > 0 ? positionals : isSample ? partsOfToday() : Object.keys(PARTS)
const failed = []
for (const name of wanted) {
  process.stdout.write(`\n==> ${name}: ${PARTS[name].text}\n`)
  const startedMs = performance.now()
  const code = await PARTS[name].run({ isSample, records: values.record === true })
  process.stdout.write(`==> ${name}: ${code === 0 ? 'ok' : `ended with ${code}`}, ${seconds(startedMs)} s\n`)
  if (code === 130) process.exit(130)
  if (code !== 0) failed.push(name)
}
if (failed.length > 0) process.stderr.write(`\nFAILED: ${failed.join(', ')}\n`)
process.exit(failed.length > 0 ? 1 : 0)

function partsOfToday() {
  const further = Object.keys(PARTS).filter((name) => name !== 'files' && PARTS[name].isLong !== true)
  return ['files', further[today() % further.length]]
}

function sampleOfToday() {
  const parts = deal(listDeep(), readTimes(), SAMPLE_SECONDS)
  return parts[today() % parts.length]
}

function today() {
  return Math.floor(Date.now() / DAY_MS)
}

async function onNode(release, { isSample: few }) {
  const program = await fetchNode(release)
  return runTests(few ? EDGE.slice(2) : [OPERATIONS], { env: { WARUNG_TEST_RUNTIME: program } })
}

/** Runs a command of this folder as a process of its own: it ends by itself. */
function script(name, ...args) {
  const path = fileURLToPath(new URL(name, import.meta.url))
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path, ...args], { cwd: ROOT, stdio: 'inherit' })
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

function seconds(startedMs) {
  return Math.round((performance.now() - startedMs) / 1_000)
}

function list() {
  const times = readTimes()
  const lines = Object.entries(PARTS).map(([name, { text }]) => `${name.padEnd(10)}${text}`)
  const files = DEEP.flatMap(({ reason, files: entries }) => [
    `\n${reason}`,
    ...listDeep(entries).map((path) => `  ${String(times.get(path) ?? '-').padStart(6)} s  ${path}`),
  ])
  process.stdout.write(`${[...lines, ...files].join('\n')}\n`)
}
