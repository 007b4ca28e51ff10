import type { Database, Tx } from '../../../db/database.ts'
import type { Vault } from '../../../db/vault.ts'
import { parseDay } from '../../../lib/dates.ts'
import { assert, fieldErrorsOf, invalidFields, RequestError } from '../../../lib/errors.ts'
import { PRODUCT_CODE } from '../../../lib/input/codes.ts'
import type { Rule } from '../../../lib/input/fields.ts'
import { LIST_LIMIT, readFields, wholeNumber } from '../../../lib/input/fields.ts'
import { AUTHOR, SHORT_REASON } from '../../../lib/input/records.ts'
import type { Amount } from '../../../lib/money.ts'
import { formatMoney, isEnterable } from '../../../lib/money.ts'
import type { Done } from '../../audit/types.ts'
import type { Complain, ImportTerms } from './import.rules.ts'
import { DENOMINATION, readStockLines } from './import.rules.ts'
import { openFingerprintKey } from './keys.service.ts'
import { contextOf, fingerprintOf, packContent } from './rules.ts'
import {
  analyzeItems,
  findLevel,
  hasFreeItem,
  insertBatch,
  insertItems,
  listBatchRows,
  listLoaded,
  lockBatch,
  lockLevels,
  lockLoading,
  markWithdrawn,
  readToday,
  removeLevel,
  saveLevel,
  withdrawItems,
} from './sql.ts'
import type { SealedItem, StockBatch, StockCount, StockKind, StockLine } from './types.ts'

// Operations on the stock for operators.

export type StockFile = { readonly name: string; readonly bytes: Uint8Array }

export type Load = {
  readonly productCode: string
  /** Denomination of every line; null: a column of the file has it. */
  readonly denomination: Amount | null
  readonly file: StockFile
  readonly by: string
  /** Returns the reason why this denomination cannot be sold; undefined when it can. */
  readonly findTrouble?: (denomination: Amount) => string | undefined
}

/** Denomination that was read before, from a file or an option. */
const READ_DENOMINATION: Rule<Amount> = {
  ...DENOMINATION,
  read: (value) => (typeof value === 'bigint' && isEnterable(value) ? value : undefined),
}
export const FREE_MIN = wholeNumber(0, 10_000_000)

/** Number of lines that are looked up, sealed and written at once. */
const CHUNK = 2_000
export const FILE_BYTES_MAX = 64 * 1024 * 1024
const PROBLEMS_MAX = 200

type Loading = {
  readonly tx: Tx
  readonly vault: Vault
  readonly key: Buffer
  readonly terms: ImportTerms
  readonly content: string
}

/** Line number by fingerprint, in the order of the file. */
type Fingerprints = Map<string, number>

/** Loads a whole file, or nothing when anything is wrong with it. */
export async function loadStock(
  { database, vault }: { database: Database; vault: Vault },
  load: Load,
): Promise<StockBatch> {
  const { file, denomination } = load
  const { productCode, by } = readFields({ productCode: PRODUCT_CODE, by: AUTHOR }, load)
  if (denomination !== null) checkDenomination(load, denomination)
  const problems = collectProblems(file.name)
  const content = decode(file, problems.add)
  problems.throwIfAny()
  const loaded = await database.transaction(async (tx) => {
    await lockLoading(tx)
    const key = await openFingerprintKey(tx, vault)
    const terms = { denomination, today: await getToday(tx) }
    const loading: Loading = { tx, vault, key, terms, content }
    const lineOf = await check(loading, load.findTrouble, problems.add)
    if (lineOf.size === 0 && problems.count() === 0) {
      problems.add(1, 'has no lines below the names of the columns')
    }
    problems.throwIfAny()
    const items = lineOf.size
    return write(loading, { productCode, denomination, fileName: file.name, items, loadedBy: by }, lineOf)
  })
  // The analysis only improves speed: the file is loaded even when it fails, also in a transaction of the caller.
  await database.transaction(analyzeItems).catch(() => {})
  return loaded
}

async function getToday(tx: Tx): Promise<number> {
  const today = parseDay(await readToday(tx))
  assert(today !== undefined, 'the database knows the day')
  return today
}

async function write(
  { tx, vault, content, terms }: Loading,
  batch: Parameters<typeof insertBatch>[1],
  lineOf: Fingerprints,
): Promise<StockBatch> {
  const inserted = await insertBatch(tx, batch)
  const names = lineOf.entries()
  for (const lines of chunksOf(readStockLines(content, terms, () => {}))) {
    const items = lines.map((line) => {
      const [name, on] = names.next().value ?? []
      assert(name !== undefined && on === line.line, 'what is written is what was checked')
      return seal(vault, Buffer.from(name, 'latin1'), line)
    })
    await insertItems(tx, inserted, items)
  }
  return inserted
}

function seal(
  vault: Vault,
  fingerprint: Buffer,
  { content, denomination, expiryDay }: StockLine,
): SealedItem {
  const sealed = vault.seal(contextOf(fingerprint), packContent(content))
  return { denomination, expiryDay, fingerprint, sealed }
}

function checkDenomination({ findTrouble }: Load, denomination: Amount): void {
  readFields({ denomination: READ_DENOMINATION }, { denomination })
  const trouble = findTrouble?.(denomination)
  if (trouble !== undefined) throw invalidFields({ denomination: [trouble] })
}

/**
 * Reads the file to its end, whatever is wrong with it, so that all problems are reported together. The lines are read
 * again to be written: of a large file only the text and the fingerprints are held.
 */
async function check(
  { tx, key, terms, content }: Loading,
  findTrouble: Load['findTrouble'],
  complain: Complain,
): Promise<Fingerprints> {
  const lineOf: Fingerprints = new Map()
  for (const chunk of chunksOf(readStockLines(content, terms, complain))) {
    const fresh: Buffer[] = []
    for (const { line, content, denomination } of chunk) {
      const trouble = terms.denomination === null ? findTrouble?.(denomination) : undefined
      if (trouble !== undefined) complain(line, `denomination: ${trouble}`)
      const fingerprint = fingerprintOf(key, content)
      const before = lineOf.get(nameOf(fingerprint))
      if (before !== undefined) {
        complain(line, `is the same PIN or link as on line ${before}`)
        continue
      }
      lineOf.set(nameOf(fingerprint), line)
      fresh.push(fingerprint)
    }
    await complainIfLoaded(tx, fresh, lineOf, complain)
    const links = linksBesidePins(key, chunk, lineOf, complain)
    if (links.size > 0) {
      const fingerprints = [...links.keys()].map((name) => Buffer.from(name, 'latin1'))
      await complainIfLoaded(tx, fingerprints, links, complain)
    }
  }
  return lineOf
}

async function complainIfLoaded(
  tx: Tx,
  fingerprints: readonly Buffer[],
  lineOf: Fingerprints,
  complain: Complain,
): Promise<void> {
  for (const { fingerprint, batchId, productCode } of await listLoaded(tx, fingerprints)) {
    const line = lineOf.get(nameOf(fingerprint)) ?? 0
    complain(line, `was loaded before, with batch ${batchId} of ${productCode}`)
  }
}

/**
 * Returns the links that stand beside a PIN, each as the item that it would be alone: a link that is such an item is not
 * sold a second time. Other links beside PINs may repeat, because they often lead to the same page.
 */
function linksBesidePins(
  key: Buffer,
  lines: readonly StockLine[],
  lineOf: Fingerprints,
  complain: Complain,
): Fingerprints {
  const links: Fingerprints = new Map()
  for (const { line, content } of lines) {
    if (content.pin === '' || content.link === '') continue
    const name = nameOf(fingerprintOf(key, { ...content, pin: '' }))
    const same = lineOf.get(name)
    if (same === undefined) links.set(name, line)
    else complain(line, `has the same link as line ${same}, which has no PIN`)
  }
  return links
}

function nameOf(fingerprint: Buffer): string {
  return fingerprint.toString('latin1')
}

function* chunksOf(lines: Iterable<StockLine>): Generator<StockLine[]> {
  let chunk: StockLine[] = []
  for (const line of lines) {
    chunk.push(line)
    if (chunk.length < CHUNK) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

function decode({ bytes }: StockFile, complain: Complain): string {
  if (bytes.length > FILE_BYTES_MAX) {
    complain(1, `the file is larger than ${FILE_BYTES_MAX / 1024 / 1024} MB`)
    return ''
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    complain(1, 'the file is not valid UTF-8')
    return ''
  }
}

function collectProblems(fileName: string): { add: Complain; count(): number; throwIfAny(): void } {
  const kept: { line: number; message: string }[] = []
  let count = 0
  return {
    add(line, message) {
      count += 1
      if (kept.length < PROBLEMS_MAX) kept.push({ line, message })
    },
    count: () => count,
    throwIfAny() {
      if (count === 0) return
      kept.sort((a, b) => a.line - b.line)
      const fields = fieldErrorsOf(kept.map(({ line, message }) => [`${fileName}:${line}`, message]))
      const rest = count - kept.length
      if (rest > 0) fields['and more'] = [`${rest} problem(s) that are not shown`]
      throw new RequestError({
        status: 400,
        code: 'invalid_files',
        publicText: `There ${count === 1 ? 'is one problem' : `are ${count} problems`} in the file; nothing was loaded.`,
        fields,
      })
    },
  }
}

// ── Batches ──

const BATCH_PAGE = { limit: LIST_LIMIT }

/** Lists the newest first. */
export async function listBatches(database: Database, page: { limit: number }): Promise<StockBatch[]> {
  return listBatchRows(database, readFields(BATCH_PAGE, page).limit)
}

const WITHDRAWAL = { by: AUTHOR, reason: SHORT_REASON }

export type Withdrawn = { readonly batch: StockBatch; readonly items: number }

/** Withdraws the unsold items of a batch for good. Sold ones stay sold. */
export async function withdrawBatch(
  database: Database,
  id: bigint,
  withdrawal: { by: string; reason: string },
): Promise<Withdrawn> {
  const read = readFields(WITHDRAWAL, withdrawal)
  return database.transaction(async (tx) => {
    const batch = await lockBatch(tx, id)
    if (batch === undefined) {
      throw new RequestError({ status: 404, code: 'not_found', publicText: 'There is no such batch.' })
    }
    if (batch.withdrawnAt !== null) {
      throw new RequestError({
        status: 409,
        code: 'withdrawn',
        publicText: 'This batch was withdrawn before.',
      })
    }
    const items = await withdrawItems(tx, id)
    await markWithdrawn(tx, id, read)
    return { batch, items }
  })
}

// ── Stock levels ──

/** Tells whether an item could be sold now. It is no promise: nothing is reserved. */
export function isInStock(database: Database, productCode: string, denomination: Amount): Promise<boolean> {
  return hasFreeItem(database, productCode, denomination)
}

export function isLow({ free, freeMin }: Pick<StockCount, 'free' | 'freeMin'>): boolean {
  return freeMin !== null && free < freeMin
}

const LEVEL = {
  productCode: PRODUCT_CODE,
  denomination: READ_DENOMINATION,
  freeMin: FREE_MIN,
}

/** Sets the level below which an operator is alerted: fewer than `freeMin` free items; 0: never. */
export async function setStockLevel(tx: Tx, kind: StockKind, freeMin: number): Promise<Done<void>> {
  const read = readFields(LEVEL, { ...kind, freeMin })
  await lockLevels(tx)
  const before = (await findLevel(tx, read)) ?? 0
  if (read.freeMin === 0) await removeLevel(tx, read)
  else await saveLevel(tx, read, read.freeMin)
  const target = { kind: 'stock_level', id: `${read.productCode}/${formatMoney(read.denomination)}` }
  return { target, before: { min: before }, after: { min: read.freeMin }, result: undefined }
}
