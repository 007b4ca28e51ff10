import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { shareDemo } from '../catalog.ts'
import type { Payer } from '../payments.ts'
import { createPayer, RELOAD_COST, ringgit } from '../payments.ts'
import { makeDirectory } from '../service.ts'
import { hasTool, toolPath } from '../tools/installed.ts'

// Postman collection, run as a user runs it: every request from top to bottom, by newman.

type Item = { name: string; item?: Item[] }
type Execution = {
  item: { name: string }
  response?: { code: number }
  assertions?: { assertion: string; error?: { message: string } }[]
}
type Report = { run: { executions: Execution[]; failures: { error: { message: string }; source: Item }[] } }

const clientFile = (name: string) =>
  fileURLToPath(new URL(`../../../../clients/postman/warung.postman_${name}.json`, import.meta.url))
const DEPOSIT = 100

let payer: Payer
let report: Report
let collection: { item: Item[] }

async function runCollection(variables: Record<string, string>): Promise<Report> {
  const exported = join(await makeDirectory(), 'report.json')
  const args = [
    ...['run', clientFile('collection'), '--environment', clientFile('environment')],
    ...['--reporters', 'json', '--reporter-json-export', exported],
    ...Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
  ]
  // newman ends with an error when a test of the collection fails; the report says which.
  const output = await new Promise<string>((resolve) => {
    execFile(toolPath('newman'), args, (_, stdout, stderr) => resolve(stdout + stderr))
  })
  const text = await readFile(exported, 'utf8').catch(() => {
    throw new Error(`newman wrote no report: ${output}`)
  })
  return JSON.parse(text) as Report
}

function requestsIn(items: readonly Item[]): string[] {
  return items.flatMap((each) => (each.item === undefined ? [each.name] : requestsIn(each.item)))
}

describe.runIf(hasTool('newman'))('the Postman collection', () => {
  beforeAll(async () => {
    const { service } = await shareDemo()
    payer = await createPayer(service, String(DEPOSIT))
    collection = JSON.parse(await readFile(clientFile('collection'), 'utf8')) as typeof collection
    report = await runCollection({
      base_url: service.baseUrl,
      api_key: payer.credentials.apiKey,
      signing_secret: payer.credentials.secretBase64,
      username: 'nobody',
      password: 'not a password',
    })
  })

  it('every request of the collection is signed rightly and answers as documented', () => {
    const failures = report.run.failures.map(({ error, source }) => `${source.name}: ${error.message}`)
    expect(failures).toEqual([])
    const wanted = requestsIn(collection.item)
    const sent = report.run.executions.map(({ item }) => item.name)
    expect([...new Set(sent)].sort()).toEqual([...new Set(wanted)].sort())
    const untested = report.run.executions.filter(({ assertions = [] }) => assertions.length === 0)
    // A look at a payment that is not final yet is followed by another one.
    expect(untested.filter(({ item }) => item.name !== '5 Status')).toEqual([])
  })

  it('the journey pays one reload, and the request of the payments folder is another one', async () => {
    const paid = report.run.executions.filter(({ item }) => item.name === '4 Pay' || item.name === 'pay')
    expect(paid.map(({ response }) => response?.code)).toEqual([200, 200])
    // The folder sends the refid of the journey again: the same payment.
    expect(await payer.balance()).toBe(ringgit(DEPOSIT - RELOAD_COST))
  })
})
