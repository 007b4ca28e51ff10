import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Database } from '../../../db/database.ts'
import type { Amount } from '../../../lib/money.ts'
import { moneyText } from '../../../modules/rates/rules.ts'
import type { FileInput } from '../../../modules/settlement/acts.ts'
import {
  differenceTarget,
  importFile,
  resolveDifference,
  withdrawSettlement,
} from '../../../modules/settlement/acts.ts'
import { compareSettlement, compareTouched } from '../../../modules/settlement/compare.service.ts'
import type { ImportResult } from '../../../modules/settlement/import.service.ts'
import {
  getDifference,
  getSettlement,
  listDifferences,
  listSettlements,
} from '../../../modules/settlement/service.ts'
import type { Difference, SettlementFile } from '../../../modules/settlement/types.ts'
import { DIFFERENCE_KINDS } from '../../../modules/settlement/types.ts'
import { differenceView, readAccounts } from '../../../modules/settlement/view.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { EXIT_CODES, REFERENCE_OPTION } from '../../money.ts'
import { readId, readLimit } from '../../options.ts'
import { openProgress } from '../../progress.ts'
import { formatFields, formatTable } from '../../text.ts'

const FILE: Option = { value: 'NUMBER', help: 'the file, as settlement list shows it', required: true }
const REASON: Option = { value: 'TEXT', help: 'why', required: true }
const LIMIT: Option = { value: 'NUMBER', help: 'at most this many, 1 to 1000 (default 100)' }

export const settlementCommands: readonly Command[] = [
  actCommand<Opened, FileInput, ImportResult>({
    name: 'settlement import',
    isLong: true,
    summary: "import a provider's own account of a day and compare it with ours",
    details:
      'The whole file is imported or, if it has a mistake, nothing; the same file again is only ' +
      'compared again. docs/guides/settlement.md says how a mapping is written.',
    options: {
      provider: { value: 'CODE', help: 'whose file it is', required: true, names: 'fulfilling provider' },
      file: { value: 'PATH', help: 'the CSV file', required: true },
      mapping: { value: 'PATH', help: 'a JSON file that describes the CSV file', required: true },
      day: { value: 'DAY', help: 'the day of the file, yyyy-MM-dd', required: true },
    },
    act: importFile,
    async input(call) {
      const mapping = await readMapping(call.text('mapping'))
      const name = basename(call.text('file'))
      return { provider: call.text('provider'), day: call.text('day'), name, mapping }
    },
    world: (_, call) => openContent(call),
    show: showImport,
  }),
  {
    name: 'settlement list',
    summary: 'list the files that were imported, latest day first',
    options: {
      provider: { value: 'CODE', help: 'of this provider alone', names: 'settled provider' },
      limit: LIMIT,
    },
    async run(call) {
      const limit = readLimit(call, 100)
      const { database } = await call.runtime()
      const files = (await listSettlements(database, { provider: call.find('provider'), limit })).map(
        fileView,
      )
      return { json: { files }, text: formatTable(files, 'No settlement file was imported.') }
    },
  },
  {
    name: 'settlement show',
    summary: 'show a file and how many differences of each kind it has',
    options: { file: FILE },
    async run(call) {
      const id = readId(call, 'file')
      const { database } = await call.runtime()
      return showFile(database, id)
    },
  },
  {
    name: 'settlement compare',
    isLong: true,
    summary: 'compare a file again: differences that agree by now are closed',
    options: { file: FILE },
    async run(call) {
      const id = readId(call, 'file')
      const { database } = await call.runtime()
      await compareSettlement(database, id)
      return showFile(database, id)
    },
  },
  actCommand({
    name: 'settlement withdraw',
    isLong: true,
    summary: 'withdraw a file that should not have been imported',
    details:
      'It stays in the list, its differences are closed, and files about the same payments are compared again. ' +
      'The same bytes may be imported again. Payments that it ended stay as they are.',
    act: withdrawSettlement,
    options: { reason: REASON },
    world: () => undefined,
    async show(id, call) {
      const { database } = await call.runtime()
      await compareTouched(database, id)
      return showFile(database, id)
    },
  }),
  {
    name: 'settlement differences',
    isLong: true,
    summary: "list the differences between a provider's file and our payments",
    options: {
      file: FILE,
      kind: { value: 'KIND', help: `one of ${DIFFERENCE_KINDS.join(', ')}` },
      all: { help: 'those that are closed as well' },
      after: { value: 'NUMBER', help: 'only differences after this one: the last id of the page before' },
      limit: LIMIT,
    },
    async run(call) {
      const id = readId(call, 'file')
      const limit = readLimit(call, 100)
      const { database } = await call.runtime()
      const differences = await listDifferences(database, id, {
        kind: call.find('kind'),
        withClosed: call.has('all'),
        after: call.find('after') === undefined ? undefined : readId(call, 'after'),
        limit,
      })
      const views = await differenceViews(database, differences)
      return { json: { differences: views }, text: formatTable(views, 'They agree.') }
    },
  },
  actCommand({
    name: 'settlement resolve',
    summary: 'end a difference: let the file decide a payment that is not final, or accept it',
    details: EXIT_CODES,
    act: resolveDifference,
    without: ['as'],
    options: {
      apply: { help: 'the payment is not final here: it ends as the file says' },
      accept: { help: 'leave it as it is; the reason goes to the payment’s timeline' },
      reason: REASON,
      reference: REFERENCE_OPTION,
    },
    input(call) {
      if (call.has('apply') === call.has('accept')) throw new UsageError('give one of --apply, --accept')
      return { as: call.has('apply') ? 'apply' : 'accept' }
    },
    once: ({ id }, { database }) => ({
      target: differenceTarget(BigInt(String(id))),
      show: () => getDifference(database, BigInt(String(id))),
    }),
    world: ({ vault }) => ({ vault }),
    async show(difference, call) {
      const [view = {}] = await differenceViews((await call.runtime()).database, [difference])
      return { json: view, text: formatFields(view) }
    },
  }),
]

/** Opens the file and the progress bar, whose length is an estimate: most lines are about this long. */
async function openContent(call: Call) {
  const path = call.text('file')
  const { size } = await stat(path).catch((error: unknown) => unreadable(path, error))
  const progress = openProgress(call, Math.ceil(size / 80))
  return { open: () => createReadStream(path), onLines: progress.rows, progress }
}

type Opened = Awaited<ReturnType<typeof openContent>>

async function showImport(result: ImportResult, call: Call, { progress }: Opened): Promise<Output> {
  if (result.kind === 'refused') return showProblems(result)
  progress.step('comparing')
  const file = await compareSettlement((await call.runtime()).database, result.file.id)
  const view = { ...fileView(file), already_imported: result.kind === 'known' }
  return { json: view, text: formatFields(view) }
}

async function readMapping(path: string): Promise<unknown> {
  const content = await readFile(path, 'utf8').catch((error: unknown) => unreadable(path, error))
  try {
    return JSON.parse(content)
  } catch (error) {
    throw new Error(`${path} is not JSON`, { cause: error })
  }
}

function unreadable(path: string, cause: unknown): never {
  throw new Error(`${path} cannot be read`, { cause })
}

function showProblems({ problems, problemCount }: Extract<ImportResult, { kind: 'refused' }>): Output {
  const unshown = problemCount - problems.length
  const rest = unshown > 0 ? `\n… and ${unshown} more` : ''
  return {
    json: { imported: false, problem_count: problemCount, problems },
    text: `Nothing was imported.\n${problems.map(({ line, message }) => `line ${line}: ${message}`).join('\n')}${rest}`,
    code: 1,
  }
}

async function showFile(database: Database, id: bigint): Promise<Output> {
  const { file, kinds } = await getSettlement(database, id)
  const view = fileView(file)
  return {
    json: { ...view, differences: kinds },
    text: `${formatFields(view)}\n\n${formatTable(kinds, 'They agree.')}`,
  }
}

function fileView(file: SettlementFile) {
  return {
    file: String(file.id),
    provider: file.provider,
    day: file.day,
    name: file.name,
    lines: file.lines,
    currency: file.currency,
    amounts: file.amountOf,
    ...costSumsView(file),
    open_differences: file.openDifferences,
    imported_at: file.importedAt.toISOString(),
    compared_at: file.comparedAt?.toISOString() ?? null,
    withdrawn_at: file.withdrawnAt?.toISOString() ?? null,
    withdrawn_reason: file.withdrawnReason,
  }
}

/** Sums in the currency of the file, with ringgit where it is another one and the costs have their rates. */
function costSumsView({ sums, currency }: SettlementFile) {
  const text = (amount: Amount, ringgit: Amount | null) => moneyText({ amount, currency }, ringgit)
  return {
    compared_costs: sums?.told ?? null,
    costs_not_said: sums?.untold ?? null,
    theirs: sums && text(sums.theirs, sums.theirsRinggit),
    ours: sums && text(sums.ours, sums.oursRinggit),
  }
}

async function differenceViews(database: Database, differences: readonly Difference[]) {
  const accounts = await readAccounts(database, differences)
  return differences.map((each) => differenceView(each, accounts))
}
