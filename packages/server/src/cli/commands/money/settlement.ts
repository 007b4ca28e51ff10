import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Database } from '../../../db/database.ts'
import type { Amount } from '../../../lib/money.ts'
import { formatMoney } from '../../../lib/money.ts'
import { listAccounts } from '../../../modules/payments/support/support.service.ts'
import { moneyText } from '../../../modules/rates/rules.ts'
import { compareSettlement } from '../../../modules/settlement/compare.service.ts'
import type { ImportResult } from '../../../modules/settlement/import.service.ts'
import { importSettlement } from '../../../modules/settlement/import.service.ts'
import {
  acceptDifference,
  applyDifference,
  getDifference,
  getSettlement,
  listDifferences,
  listSettlements,
} from '../../../modules/settlement/service.ts'
import type { Difference, SettlementFile } from '../../../modules/settlement/types.ts'
import { DIFFERENCE_KINDS } from '../../../modules/settlement/types.ts'
import { withdrawSettlement } from '../../../modules/settlement/withdraw.service.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { chooseReference, EXIT_CODES, postedOutput, REFERENCE_OPTION, runMoneyStepOnce } from '../../money.ts'
import { readId, readLimit } from '../../options.ts'
import { openProgress } from '../../progress.ts'
import { openLine, recorded } from '../../record.ts'
import { formatFields, formatTable } from '../../text.ts'

const FILE: Option = { value: 'NUMBER', help: 'the file, as settlement list shows it', required: true }
const LIMIT: Option = { value: 'NUMBER', help: 'at most this many, 1 to 1000 (default 100)' }

export const settlementCommands: readonly Command[] = [
  {
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
    run: runImport,
  },
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
  {
    name: 'settlement withdraw',
    isLong: true,
    summary: 'withdraw a file that should not have been imported',
    details:
      'It stays in the list, its differences are closed, and files about the same payments are compared again. ' +
      'The same bytes may be imported again. Payments that it ended stay as they are.',
    options: { file: FILE, reason: { value: 'TEXT', help: 'why', required: true } },
    async run(call) {
      const id = readId(call, 'file')
      const { database } = await call.runtime()
      const reason = call.text('reason')
      await withdrawSettlement(database, id, { reason }, (work) =>
        recorded(call, { action: 'settlement.withdraw', reason }, async (tx) => {
          await work(tx)
          return {
            target: fileTarget(id),
            before: { withdrawn: false },
            after: { withdrawn: true },
            result: undefined,
          }
        }),
      )
      return showFile(database, id)
    },
  },
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
  {
    name: 'settlement resolve',
    summary: 'end a difference: let the file decide a payment that is not final, or accept it',
    details: EXIT_CODES,
    options: {
      id: { value: 'NUMBER', help: 'the difference', required: true },
      apply: { help: 'the payment is not final here: it ends as the file says' },
      accept: { help: 'leave it as it is; the reason goes to the payment’s timeline' },
      reason: { value: 'TEXT', help: 'why', required: true },
      reference: REFERENCE_OPTION,
    },
    async run(call) {
      const id = readId(call, 'id')
      if (call.has('apply') === call.has('accept')) throw new UsageError('give one of --apply, --accept')
      const runtime = await call.runtime()
      const resolve = call.has('apply') ? applyDifference : acceptDifference
      const reason = call.text('reason')
      const act = { action: `settlement.${call.has('apply') ? 'apply' : 'accept'}`, reason }
      const reference = chooseReference(call)
      const target = { kind: 'settlement_difference', id: String(id) }
      const { result: difference, isRepeat } = await runMoneyStepOnce(call, {
        reference,
        target,
        show: () => getDifference(runtime.database, id),
        post: (database) =>
          recorded(call, { ...act, database }, async (_tx, joined) => {
            const ended = await resolve({ ...runtime, database: joined }, id, { reason })
            const [after] = await differenceViews(joined, [ended])
            return { target, before: null, after: { ...after, reference }, result: ended }
          }),
      })
      const [view] = await differenceViews(runtime.database, [difference])
      return postedOutput({ json: view, text: formatFields(view ?? {}) }, reference, isRepeat)
    },
  },
]

async function runImport(call: Call): Promise<Output> {
  const [provider, path] = [call.text('provider'), call.text('file')]
  const mapping = await readMapping(call.text('mapping'))
  const { size } = await stat(path).catch((error: unknown) => unreadable(path, error))
  const { database } = await call.runtime()
  // Most lines are about this long; the progress bar is an estimate.
  const progress = openProgress(call, Math.ceil(size / 80))
  const [day, name] = [call.text('day'), basename(path)]
  const line = await openLine(call, 'settlement.import')
  const result = await importSettlement(database, {
    provider,
    day,
    name,
    mapping,
    open: () => createReadStream(path),
    onLines: progress.rows,
    record: (tx, id, lines) =>
      line(tx, { target: fileTarget(id), before: null, after: { provider, day, name, lines } }),
  })
  if (result.kind === 'refused') return showProblems(result)
  progress.step('comparing')
  const file = await compareSettlement(database, result.file.id)
  const view = { ...fileView(file), already_imported: result.kind === 'known' }
  return { json: view, text: formatFields(view) }
}

function fileTarget(id: bigint) {
  return { kind: 'settlement_file', id: String(id) }
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
    ...sumsView(file),
    open_differences: file.openDifferences,
    imported_at: file.importedAt.toISOString(),
    compared_at: file.comparedAt?.toISOString() ?? null,
    withdrawn_at: file.withdrawnAt?.toISOString() ?? null,
    withdrawn_reason: file.withdrawnReason,
  }
}

/** Sums in the currency of the file, with ringgit where it is another one and the costs have their rates. */
function sumsView({ sums, currency }: SettlementFile) {
  const text = (amount: Amount, ringgit: Amount | null) => moneyText({ amount, currency }, ringgit)
  return {
    compared_costs: sums?.told ?? null,
    costs_not_said: sums?.untold ?? null,
    theirs: sums && text(sums.theirs, sums.theirsRinggit),
    ours: sums && text(sums.ours, sums.oursRinggit),
  }
}

async function differenceViews(database: Database, differences: readonly Difference[]) {
  const ids = differences.flatMap(({ resellerId }) => (resellerId === null ? [] : [resellerId]))
  const accounts = await listAccounts(database, ids)
  return differences.map((each) => ({
    id: String(each.id),
    kind: each.kind,
    line: each.line === 0 ? null : each.line,
    reference: each.reference,
    reseller: each.resellerId === null ? null : (accounts.get(each.resellerId) ?? null),
    transaction_id: each.paymentId === null ? null : String(each.paymentId),
    theirs: each.theirs,
    ours: each.ours,
    theirs_myr: each.theirsRinggit === null ? null : formatMoney(each.theirsRinggit),
    ours_myr: each.oursRinggit === null ? null : formatMoney(each.oursRinggit),
    found_at: each.foundAt.toISOString(),
    closed_as: each.closedAs,
    closed_at: each.closedAt?.toISOString() ?? null,
    reason: each.reason,
  }))
}
