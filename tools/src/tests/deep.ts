// `npm run test:deep [-- PART…]`: what a release and a night must pass beside `npm test`. Without names it runs every
// part, in this order, and says at the end which of them failed.
//
//   --sample   runs a part of the files and one further part; the day of the year chooses both
//   --list     prints the parts, and each file with the reason why `npm test` does without it
//   --record   writes the time of each file into tools/data/test-times.csv
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { fetchNode } from './node-release.ts'
import { runTests } from './run.ts'
import { DEEP, deal, listDeep, ROOT, readTimes } from './tiers.ts'

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

type Given = { isSample: boolean; records: boolean }
/** Part of the deep tests; `run` returns an exit code. */
type Part = { text: string; run(given: Given): Promise<number>; isLong?: true }

const PARTS: Record<string, Part> = {
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
    run: ({ isSample }) => script('tests/faults.js', '--minutes', isSample ? '0.5' : '5'),
  },
  fuzz: {
    text: 'the fuzzer',
    run: ({ isSample }) => script('tests/fuzz.js', '--minutes', isSample ? '0.5' : '5'),
  },
  model: { text: "the model of a payment's life", run: () => script('tests/model.js') },
  cluster: {
    text: 'the cluster: servers killed, links cut',
    run: () => script('tests/cluster.js'),
    isLong: true,
  },
  handbook: {
    text: 'the handbook, typed on an empty Debian',
    run: () => script('handbook/command.js'),
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
const failed: string[] = []
for (const name of wanted) {
  const part = PARTS[name]
  if (part === undefined) continue
  process.stdout.write(`\n==> ${name}: ${part.text}\n`)
  const startedMs = performance.now()
  const code = await part.run({ isSample, records: values.record === true })
  process.stdout.write(`==> ${name}: ${code === 0 ? 'ok' : `ended with ${code}`}, ${seconds(startedMs)} s\n`)
  if (code === 130) process.exit(130)
  if (code !== 0) failed.push(name)
}
if (failed.length > 0) process.stderr.write(`\nFAILED: ${failed.join(', ')}\n`)
process.exit(failed.length > 0 ? 1 : 0)

function partsOfToday() {
  const further = Object.entries(PARTS).filter(([name, { isLong }]) => name !== 'files' && isLong !== true)
  return [
    'files',
    ...further
      .slice(today() % further.length)
      .slice(0, 1)
      .map(([name]) => name),
  ]
}

function sampleOfToday() {
  const parts = deal(listDeep(), readTimes(), SAMPLE_SECONDS)
  return parts[today() % parts.length] ?? []
}

function today() {
  return Math.floor(Date.now() / DAY_MS)
}

async function onNode(release: string, { isSample: few }: Given) {
  const program = await fetchNode(release)
  return runTests(few ? EDGE.slice(2) : [OPERATIONS], { env: { WARUNG_TEST_RUNTIME: program } })
}

/** Runs another command of the tools as a process of its own: it ends by itself. */
function script(name: string, ...args: string[]) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url))
  return new Promise<number>((resolve) => {
    const child = spawn(process.execPath, [path, ...args], { cwd: ROOT, stdio: 'inherit' })
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

function seconds(startedMs: number) {
  return Math.round((performance.now() - startedMs) / 1_000)
}

function list() {
  const times = readTimes()
  const lines = Object.entries(PARTS).map(([name, { text }]) => `${name.padEnd(12)}${text}`)
  const files = DEEP.flatMap(({ reason, files: entries }) => [
    `\n${reason}`,
    ...listDeep(entries).map((path) => `  ${String(times.get(path) ?? '-').padStart(6)} s  ${path}`),
  ])
  process.stdout.write(`${[...lines, ...files].join('\n')}\n`)
}
