// `npm run bench` runs the suites that show ratios, `npm run bench -- edge` one. Absolute rates depend on the machine and
// its neighbours.
import { cpus } from 'node:os'
import profile from '../profile/suite.ts'
import edge from './edge.ts'
import events from './events.ts'
import payments from './payments.ts'
import providers from './providers.ts'
import scale from './scale/suite.ts'

const SUITES = [edge, payments, events]
// They show costs instead of ratios, and take a quarter of an hour or gigabytes of disk.
const ON_REQUEST = [scale, profile, providers]

const print = (text: string) => process.stdout.write(`${text}\n`)
const given = process.argv.slice(2)
const options = given.findIndex((argument) => argument.startsWith('--'))
// Options after the names belong to the suite.
const wanted = options === -1 ? given : given.slice(0, options)
const all = [...SUITES, ...ON_REQUEST]
const unknown = wanted.filter((name) => !all.some((suite) => suite.name === name))
if (unknown.length > 0) {
  print(`no such suite: ${unknown.join(', ')}; there are: ${all.map(({ name }) => name).join(', ')}`)
  process.exit(2)
}
print(`node ${process.version}, ${cpus().length} × ${cpus()[0]?.model ?? 'unknown processor'}`)
for (const suite of wanted.length > 0 ? all.filter(({ name }) => wanted.includes(name)) : SUITES) {
  print(`\n${suite.name}: ${suite.summary}`)
  await suite.run(print)
}
// Orders that a provider never answers would keep the process alive until their leases end.
process.exit(0)
