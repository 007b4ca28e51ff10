// `npm run test:fuzz -- --seed N --minutes M [--api PARTS]`: sends the service requests, files, bytes and
// suppliers' answers that the seed chooses, and checks every answer against the API documents.
import { parseArgs } from 'node:util'
import { runHarness } from './harness.ts'

const PARTS = ['resellers', 'portal', 'operator', 'checkout', 'imports', 'suppliers', 'sockets']
const NUMBERS = ['seed', 'minutes'] as const
const USAGE = `npm run test:fuzz -- [options]
  --seed N       seed of all choices (default: chosen by the clock, and printed)
  --minutes M    time of the run (default 1)
  --api PARTS    these parts alone, with commas: ${PARTS.join(', ')}`

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    minutes: { type: 'string' },
    api: { type: 'string' },
    help: { type: 'boolean' },
  },
})
const wrong = [
  ...NUMBERS.filter((name) => values[name] !== undefined && !(Number(values[name]) > 0)).map(
    (name) => `--${name} must be a positive number`,
  ),
  ...(values.api ?? '')
    .split(',')
    .filter((part) => part !== '' && !PARTS.includes(part))
    .map((part) => `--api: there is no ${part}`),
]
if (values.help || wrong.length > 0) {
  process.stdout.write(`${wrong.map((line) => `${line}\n`).join('')}${USAGE}\n`)
  process.exit(values.help ? 0 : 2)
}

const { seed, minutes, api } = values
process.exit(await runHarness('fuzz', { seed, minutes, api }))
