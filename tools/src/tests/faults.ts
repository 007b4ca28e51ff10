// `npm run test:faults -- --seed N --minutes M`: breaks a running service in every way that the seed
// chooses, and compares all books at the end. `--broken [NAME,NAME]` shows that the harness can fail: it builds the
// service with deliberate mistakes, and runs until each one is caught. `--aimed [NAME,NAME]` runs the service itself
// under the same faults: no rule may be broken then. `--pack [NAME,NAME]` sends payments through packs whose suppliers are
// their books of answers, under the books' own troubles, broken exchanges and processes that die.
import { parseArgs } from 'node:util'
import { runHarness } from './harness.ts'

const NUMBERS = ['seed', 'seeds', 'minutes', 'nodes', 'clients', 'runs', 'payments']
const LISTS = ['broken', 'aimed', 'pack']
const USAGE = `npm run test:faults -- [options]
  --seed N       first seed (default: chosen by the clock, and printed)
  --seeds N      number of runs, each with the next seed (default 1)
  --minutes M    time under faults of each run (default 1; 0.5 of a broken build)
  --nodes N      nodes of the service (default 3)
  --clients N    clients that pay at the same time (default 10)
  --runs N       runs after which a broken build is not caught (default 5)
  --broken NAMES run broken builds until they are caught: a list with commas, or "all"
  --aimed NAMES  run the service itself under the faults that catch these builds: a list with commas, or "all"
  --pack NAMES   payments through these packs: a list with commas, or "all"
  --payments N   payments through each pack (default 1000)`

const options: Record<string, { type: 'string' | 'boolean' }> = {
  ...Object.fromEntries([...NUMBERS, ...LISTS].map((name) => [name, { type: 'string' as const }])),
  help: { type: 'boolean' },
}
const { values } = parseArgs({
  options,
  args: process.argv.slice(2).map((arg, index, all) => {
    // `--broken` alone means all of them.
    const isList = LISTS.some((name) => arg === `--${name}`)
    const isAlone = isList && all[index + 1]?.startsWith('--') !== false
    return isAlone ? `${arg}=all` : arg
  }),
})
const wrong = NUMBERS.filter((name) => values[name] !== undefined && !(Number(values[name]) > 0))
if (values.help === true || wrong.length > 0) {
  process.stdout.write(`${wrong.map((name) => `--${name} must be a positive number\n`).join('')}${USAGE}\n`)
  process.exit(values.help === true ? 0 : 2)
}

const given = Object.fromEntries(
  [...NUMBERS, ...LISTS].map((name) => {
    const value = values[name]
    return [name, value === 'all' ? '' : typeof value === 'string' ? value : undefined]
  }),
)
process.exit(await runHarness('faults', given))
