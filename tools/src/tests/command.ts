// `npm test`: runs what every change must pass, over the compiled service. Further arguments go to vitest: `npm test --
// nonces` runs the files of both tiers whose path contains "nonces". A run of the whole tier repeats a few failed files
// (repeats.ts). `npm test -- --record` writes the time of each file into tools/data/test-times.csv.
import { runTests } from './run.ts'

const [first, ...others] = process.argv.slice(2)
const records = first === '--record'
const wanted = records || first === undefined ? others : [first, ...others]
const isWhole = wanted.length === 0
process.exit(await runTests(wanted, { tier: isWhole ? 'every' : 'all', repeats: isWhole, records }))
