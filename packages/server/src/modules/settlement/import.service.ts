import { createHash } from 'node:crypto'
import type { Database, Tx } from '../../db/database.ts'
import { DAY, formatDay } from '../../lib/dates.ts'
import { fieldErrorsOf, invalidFields } from '../../lib/errors.ts'
import { PROVIDER_CODE } from '../../lib/input/codes.ts'
import { readFields, text } from '../../lib/input/fields.ts'
import { formatMoney } from '../../lib/money.ts'
import { parseReference } from '../payments/core/schedule.rules.ts'
import { eachPage, nameByKept } from './compare.service.ts'
import { parseMapping } from './mapping.rules.ts'
import { createLineReader } from './reading.rules.ts'
import type { NewFile } from './sql.ts'
import { findFileByDigest, insertFile, insertLines, saveLineCount } from './sql.ts'
import type { Mapping, Problem, SettlementFile, SettlementLine } from './types.ts'

export type ImportInput = {
  readonly provider: string
  /** yyyy-MM-dd */
  readonly day: string
  readonly name: string
  /** Content of the mapping's JSON file. */
  readonly mapping: unknown
  /** Opens the content from its beginning each time: it is read twice. */
  readonly open: () => AsyncIterable<Buffer>
  readonly onLines?: (lines: number) => void
}

export type ImportResult =
  | { readonly kind: 'imported'; readonly file: SettlementFile }
  /** The same bytes were imported before. */
  | { readonly kind: 'known'; readonly file: SettlementFile }
  /** Refused as a whole: nothing was imported. `problems` has the first of them. */
  | { readonly kind: 'refused'; readonly problems: readonly Problem[]; readonly problemCount: number }

const BATCH_LINES = 2_000
const RULES = { provider: PROVIDER_CODE, day: DAY, name: text(1, 200) }

/** Imports a provider's file as a whole, or reports everything that is wrong with it and imports nothing. */
export async function importSettlement(database: Database, input: ImportInput): Promise<ImportResult> {
  const { provider, day, name } = readFields(RULES, input)
  const mapping = readMapping(input.mapping)
  const digest = await digestOfFile(input.open())
  const known = await findFileByDigest(database, provider, digest)
  if (known !== undefined) return { kind: 'known', file: known }
  const file: NewFile = { provider, day: formatDay(day), name, digest, mapping: input.mapping }
  const refusal = await takeOver(database, file, mapping, input)
  if (refusal !== undefined) return refusal
  const imported = await findFileByDigest(database, provider, digest)
  if (imported === undefined) throw new Error('the file is gone that was just imported')
  return { kind: 'imported', file: imported }
}

function readMapping(input: unknown): Mapping {
  const { mapping, problems } = parseMapping(input)
  if (mapping !== undefined) return mapping
  const fields = fieldErrorsOf(problems.map(({ path, message }) => [path, message]))
  throw invalidFields(fields, 'The mapping cannot be used.')
}

async function digestOfFile(chunks: AsyncIterable<Buffer>): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const chunk of chunks) hash.update(chunk)
  return hash.digest()
}

type Refusal = Extract<ImportResult, { kind: 'refused' }>

class RollbackError extends Error {}

async function takeOver(
  database: Database,
  file: NewFile,
  mapping: Mapping,
  { open, onLines }: Pick<ImportInput, 'open' | 'onLines'>,
): Promise<Refusal | undefined> {
  const reader = createLineReader(mapping, parseReference)
  try {
    await database.transaction(async (tx) => {
      const fileId = await insertFile(tx, file)
      // A second import of the same file at the same time waited here and finds it done.
      if (fileId === undefined) return
      const lines = await saveLines(tx, fileId, file, reader, open(), onLines)
      if (reader.problemCount === 0 && mapping.amount.of === 'cost') {
        await refuseOtherCurrency(tx, { ...file, id: fileId }, mapping, reader)
      }
      if (reader.problemCount > 0) throw new RollbackError()
      await saveLineCount(tx, fileId, lines)
    })
  } catch (error) {
    if (!(error instanceof RollbackError)) throw error
    return { kind: 'refused', problems: reader.problems, problemCount: reader.problemCount }
  }
  return undefined
}

/** Reports orders whose supplier answered a cost in another currency than the file's: the file is not of this account. */
async function refuseOtherCurrency(
  tx: Tx,
  file: { readonly id: bigint; readonly provider: string },
  { reference, currency }: Mapping,
  reader: ReturnType<typeof createLineReader>,
): Promise<void> {
  await nameByKept(tx, { ...file, referenceOf: reference.of })
  await eachPage(tx, file, (lines, ours) => {
    for (const line of lines) {
      const cost = ours(line)?.cost ?? null
      if (line.state !== 'succeeded' || cost === null || cost.currency === currency.is) continue
      const answered = `${file.provider} took ${formatMoney(cost.amount)} ${cost.currency} by its answer`
      reader.report(line.line, `the file is in ${currency.is}, and ${answered}`)
    }
  })
}

async function saveLines(
  tx: Tx,
  fileId: bigint,
  { provider, digest }: NewFile,
  reader: ReturnType<typeof createLineReader>,
  chunks: AsyncIterable<Buffer>,
  onLines: (lines: number) => void = () => {},
): Promise<number> {
  const hash = createHash('sha256')
  let count = 0
  const save = async (lines: readonly SettlementLine[]) => {
    // A file with a mistake is read to its end to find the other mistakes, but is no longer written.
    if (reader.problemCount === 0 && lines.length > 0) await insertLines(tx, fileId, provider, lines)
    count += lines.length
    onLines(count)
  }
  for await (const chunk of chunks) {
    hash.update(chunk)
    reader.push(chunk)
    for (let batch = reader.take(BATCH_LINES); batch !== undefined; batch = reader.take(BATCH_LINES)) {
      await save(batch)
    }
  }
  reader.end()
  for (let batch = reader.take(1); batch !== undefined; batch = reader.take(1)) await save(batch)
  if (!hash.digest().equals(digest)) reader.report(0, 'the file was changed while it was read')
  return count
}
