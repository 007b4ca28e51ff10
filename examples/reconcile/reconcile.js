// Compares a shop's records of a day with the service: node reconcile.js --records FILE [--date yyyy-MM-dd]
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createClient } from '@warung/sdk'
import { readCredentials } from '../credentials.js'
import { compare, latestByRefid, madeOn } from './compare.js'

const GMT8_MS = 8 * 3_600_000

const { values } = parseArgs({ options: { records: { type: 'string' }, date: { type: 'string' } } })
if (values.records === undefined) {
  console.error('usage: node reconcile.js --records FILE [--date yyyy-MM-dd]')
  process.exit(2)
}
// Days of the service are those of GMT+8.
const today = new Date(Date.now() + GMT8_MS).toISOString().slice(0, 10)
const date = values.date ?? today

const client = createClient(readCredentials())
const records = latestByRefid(readRecords(values.records))
const since = { date: `${date} - ${today}` }
const history = await collect(client.transactions(since))
const entries = await collect(client.statement(since))
const differences = compare(date, records, history, entries)

console.log(
  `${date}: ${records.size} records, ${madeOn(history, date).length} payments, ${entries.length} entries`,
)
for (const { refid, problem } of differences) console.log(`  ${refid} ${problem}`)
console.log(differences.length === 0 ? 'everything agrees' : `${differences.length} differences`)
process.exitCode = differences.length === 0 ? 0 : 1

/** Reads JSON lines; the last line of a refid wins. A line that was cut by a power failure is passed over. */
function readRecords(file) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line) => {
      try {
        return [JSON.parse(line)]
      } catch {
        return []
      }
    })
}

async function collect(items) {
  const list = []
  for await (const item of items) list.push(item)
  return list
}
