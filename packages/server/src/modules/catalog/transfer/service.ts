import type { Database, Queryable } from '../../../db/database.ts'
import type { FieldErrors } from '../../../lib/errors.ts'
import { fieldErrorsOf, RequestError } from '../../../lib/errors.ts'
import { applyBase } from '../edit/base.service.ts'
import { mergeBase } from '../model/merge.rules.ts'
import type { BaseChange, ChangeJudge, ChangeSummary } from '../model/store.types.ts'
import { loadCatalog, readState } from '../store/load.service.ts'
import { lockVersion } from '../store/version.sql.ts'
import { checkChange } from './check.rules.ts'
import { listDifferences } from './diff.rules.ts'
import type { OnRows } from './read.rules.ts'
import { collectProblems, readFiles } from './read.rules.ts'
import type { Present } from './rules.ts'
import { changeOf, documentOf, indexPresent, missingOptions } from './rules.ts'
import type { CatalogDocument, Difference, FileProblems, GivenRows, SourceFile } from './types.ts'

export async function exportCatalog(connection: Queryable): Promise<CatalogDocument> {
  return documentOf(await loadCatalog(connection))
}

export type ImportOptions = {
  readonly reason: string
  /** Checks and measures everything, and changes nothing. */
  readonly dryRun: boolean
  /** Switches off the options that the files do not name, in the lists that they do name. */
  readonly deactivateMissing: boolean
  readonly judge?: ChangeJudge
  readonly onRows?: OnRows
  /** Called when all files are read; only the database's work follows. */
  readonly onRead?: (rows: GivenRows) => void
}

export type Imported = {
  readonly summary: ChangeSummary
  readonly differences: readonly Difference[]
}

const ROLLED_BACK = new Error('a dry run leaves nothing behind')

/** Imports the files: all of them, or nothing when they have a problem. */
export async function importFiles(
  database: Pick<Database, 'transaction'>,
  files: readonly SourceFile[],
  options: ImportOptions,
): Promise<Imported> {
  const problems = collectProblems(files.map((file) => file.name))
  const given = readFiles(files, problems, options.onRows)
  options.onRead?.(given)
  let imported: Imported | undefined
  try {
    await database.transaction(async (tx) => {
      // Missing members are completed from the present rows, so no other writer may change these in between.
      await lockVersion(tx)
      const present = await readState(tx)
      const change = planChange(given, present, problems, options)
      const place = { transaction: <T>(work: (joined: typeof tx) => Promise<T>) => work(tx) }
      const summary = await applyBase(place, change, options.reason, options)
      imported = { summary, differences: listDifferences(mergeBase(present, change).touched) }
      if (options.dryRun) throw ROLLED_BACK
    })
  } catch (error) {
    if (error !== ROLLED_BACK) throw error
  }
  if (imported === undefined) throw new Error('an import ends with its summary')
  return imported
}

function planChange(
  given: GivenRows,
  present: Present,
  problems: FileProblems,
  { deactivateMissing }: ImportOptions,
): BaseChange {
  const change = changeOf(given, indexPresent(present))
  checkChange(present, change, given, problems)
  if (problems.count() > 0) throw refusal(problems)
  return deactivateMissing
    ? { ...change, options: [...change.options, ...missingOptions(given, present)] }
    : change
}

/** Makes the error, with each problem by file and line. */
function refusal(problems: FileProblems): RequestError {
  const fields = fieldErrorsOf(
    problems.list().map(({ file, line, path, message }) => {
      const place = line === 0 ? file : `${file}:${line}`
      return [place, path === '' ? message : `${path}: ${message}`]
    }),
  )
  const rest = problems.count() - problems.list().length
  const more: FieldErrors = rest > 0 ? { 'and more': [`${rest} problem(s) that are not shown`] } : {}
  const count = problems.count() === 1 ? 'is one problem' : `are ${problems.count()} problems`
  return new RequestError({
    status: 400,
    code: 'invalid_files',
    publicText: `There ${count} in the files; nothing was imported.`,
    fields: { ...fields, ...more },
  })
}
