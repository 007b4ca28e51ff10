// `npm run bench` runs every suite but the longest, `npm run bench -- edge` one. Figures are ratios from one run;
// absolute rates depend on the machine and its neighbours.
import { cpus } from 'node:os'
import { build } from '../scripts/build.js'

const SUITES = [
  'edge',
  'catalog',
  'payments',
  'providers',
  'events',
  'fairness',
  'floods',
  'payments-large',
  'scale',
  'runtimes',
  'capacity',
  'profile',
]
// Suites that take a quarter of an hour or gigabytes of disk, or that show costs instead of ratios.
const ON_REQUEST = new Set(['floods', 'payments-large', 'scale', 'runtimes', 'capacity', 'profile'])
const print = (text) => process.stdout.write(`${text}\n`)

const given = process.argv.slice(2)
const options = given.findIndex((argument) => argument.startsWith('--'))
// Options after the names belong to the suite.
const wanted = options === -1 ? given : given.slice(0, options)
const unknown = wanted.filter((name) => !SUITES.includes(name))
if (unknown.length > 0) {
  print(`no such suite: ${unknown.join(', ')}; there are: ${SUITES.join(', ')}`)
  process.exit(2)
}
await build()
print(`node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`)
for (const name of SUITES) {
  if (wanted.length > 0 ? !wanted.includes(name) : ON_REQUEST.has(name)) {
    print(`\n${name}: skipped, not asked for`)
    continue
  }
  const { default: suite } = await import(`./${name}.js`)
  print(`\n${suite.name}: ${suite.summary}`)
  await suite.run(print)
}
// Orders that a provider never answers would keep the process alive until their leases end.
process.exit(0)
