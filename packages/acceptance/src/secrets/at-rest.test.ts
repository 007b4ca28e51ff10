import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../catalog.ts'
import { startDemo } from '../catalog.ts'
import { reload } from '../payments.ts'
import { openShop } from '../portal/members.ts'
import { connectDatabase, until } from '../service.ts'
import type { Scanner } from './scanner.ts'
import { createScanner } from './scanner.ts'
import {
  buyOutputs,
  connectSupplier,
  enrolViewer,
  forgetPassword,
  getTokensOf,
  makeCredentials,
  makeOperatorToken,
  openOrder,
  payBills,
  secretsOfShop,
  sellShelf,
} from './spending.ts'
import type { StoredPiece } from './stored-bytes.ts'
import {
  dumpTables,
  keepWriteAheadLog,
  readDirectory,
  readServerLog,
  readTableFiles,
  readWriteAheadLog,
} from './stored-bytes.ts'

// A service that hands out every kind of secret under load, and then everything that it wrote, searched for them.

/** Name of a value that is no secret and is stored: a scan that does not find it has not looked. */
const CONTROL = 'control'

let demo: Demo
let database: pg.Client
let firstLogFile: string
let scan: Scanner
let account: string

beforeAll(async () => {
  demo = await startDemo({ WARUNG_OUTBOUND_ALLOW: '127.0.0.0/8' })
  const { service } = demo
  database = await connectDatabase(service)
  firstLogFile = await keepWriteAheadLog(database)
  const shop = await openShop(service, '20000')
  const { payer, admin } = shop
  account = payer.account
  const bought = buyOutputs(payer)
  const found = await Promise.all([
    secretsOfShop(shop),
    bought,
    // The shelf takes the product over from the supplier.
    bought.then(() => sellShelf(service, payer)),
    payBills(demo, payer),
    enrolViewer(shop),
    makeCredentials(admin),
    getTokensOf(service, payer.account),
    makeOperatorToken(service),
    forgetPassword(service, payer.account),
    openOrder(service, payer),
    connectSupplier(service),
  ])
  const control = reload()
  await payer.untilStatus(control, 'Succesful')
  const secrets = new Map(found.flat()).set('master key', String(service.environment.WARUNG_MASTER_KEY))
  scan = createScanner(secrets.set(CONTROL, String(control.refid)))
})

afterAll(async () => {
  await database?.end()
  await demo?.end()
})

/** Lists the places with the secrets in them, and whether the control was found in any. */
async function search(pieces: AsyncIterable<StoredPiece>): Promise<{ leaks: string[]; isSeen: boolean }> {
  const leaks = new Set<string>()
  let isSeen = false
  for await (const { place, bytes } of pieces) {
    for (const name of scan(bytes)) {
      if (name === CONTROL) isSeen = true
      else leaks.add(`${name} in ${place}`)
    }
  }
  return { leaks: [...leaks], isSeen }
}

describe('no secret that the service took, made or handed out under load is readable', () => {
  it('in the rows of any table, as a dump has them', async () => {
    expect(await search(dumpTables(database))).toEqual({ leaks: [], isSeen: true })
  })

  it('in the files of tables, indexes and statistics', async () => {
    // Samples of the columns are a copy of their values.
    await database.query('analyze')
    expect(await search(readTableFiles(database))).toEqual({ leaks: [], isSeen: true })
  })

  it('in the write-ahead log, which backups and standbys get', async () => {
    expect(await search(readWriteAheadLog(database, firstLogFile))).toEqual({ leaks: [], isSeen: true })
  })

  it('in the log of the database server', async () => {
    expect((await search(readServerLog(database))).leaks).toEqual([])
  })

  it('in the log of the service', async () => {
    const { service } = demo
    const id = (await service.get('/marker')).headers['x-request-id']
    await until('the log has everything up to now', async () =>
      service.log().some(({ request_id }) => request_id === id),
    )
    // Lines about a payment name its refid, which is the control.
    expect(scan(Buffer.from(service.output())).filter((name) => name !== 'control')).toEqual([])
    expect(service.log().some(({ reseller }) => reseller === account)).toBe(true)
  })

  it('in the data directory beside the database', async () => {
    const { leaks, isSeen } = await search(readDirectory(demo.service.dataDir))
    expect({ leaks, isSeen }).toEqual({ leaks: [], isSeen: false })
  })
})

it('a scan finds a secret in each of its spellings', () => {
  const secret = Buffer.from('a secret of thirty-two bytes, ok').toString('base64')
  const find = createScanner(new Map([['it', secret]]))
  const raw = Buffer.from(secret, 'base64')
  const spellings = [
    secret,
    raw.toString('hex'),
    raw.toString('base64url'),
    Buffer.from(secret).toString('hex'),
  ]
  for (const spelling of spellings) expect(find(Buffer.from(`\\x00${spelling}|`)), spelling).toEqual(['it'])
  expect(find(Buffer.concat([Buffer.alloc(3), raw]))).toEqual(['it'])
  expect(find(raw.subarray(1))).toEqual([])
})
