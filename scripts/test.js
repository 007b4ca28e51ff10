// `npm test`: compiles (the acceptance tests start the compiled service), then runs what every change must pass. Further
// arguments go to vitest: `npm test -- nonces` runs the files of both tiers whose path contains "nonces". A run of the
// whole tier repeats a few failed files (tests/repeats.js). `npm test -- --record` writes the time of each file into
// tests/times.csv.
import { runTests } from './tests/run.js'

const [first, ...others] = process.argv.slice(2)
const records = first === '--record'
const wanted = records || first === undefined ? others : [first, ...others]
const isWhole = wanted.length === 0
process.exit(await runTests(wanted, { tier: isWhole ? 'every' : 'all', repeats: isWhole, records }))
