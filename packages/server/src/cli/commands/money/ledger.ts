import { readFile, stat } from 'node:fs/promises'
import { readFields } from '../../../lib/input/fields.ts'
import { formatMoney, moneyToNumber } from '../../../lib/money.ts'
import { listDriftedCounts } from '../../../modules/payments/limits/service.ts'
import { balanceAsOf } from '../../../modules/wallet/balance/service.ts'
import { readExportedHeads } from '../../../modules/wallet/ledger/audit.rules.ts'
import { sumLedger, verifyLedger } from '../../../modules/wallet/ledger/audit.service.ts'
import type {
  Break,
  ExportedHead,
  LedgerReport,
  LedgerSums,
} from '../../../modules/wallet/ledger/audit.types.ts'
import { chainEntries } from '../../../modules/wallet/ledger/chain.jobs.ts'
import { listAccountHeads } from '../../../modules/wallet/ledger/chain.service.ts'
import { formatInstant, INSTANT } from '../../../modules/wallet/ledger/instants.rules.ts'
import type { Command, Output } from '../../command.ts'
import { RESELLER_OPTION } from '../../command.ts'
import { openReseller } from '../../options.ts'
import { formatFields, formatTable } from '../../text.ts'

const HEADS_BYTES_MAX = 100_000_000

export const ledgerCommands: readonly Command[] = [
  {
    name: 'ledger verify',
    isLong: true,
    summary: 'prove that the ledger is whole: sequence, balances, chain, sums; ends with 1 if it is not',
    details: `Looks at the ledger as it is at one moment, beside a running service. Names the first break of each
wallet: which entry, what was expected there, and what is there. Entries that are not chained yet are counted.

A wallet, its entries and its chain cut off together at the same entry look like a younger ledger. Heads that
were exported with \`ledger heads\` and kept elsewhere show that, too: give them with --heads.`,
    options: {
      reseller: {
        value: 'ACCOUNT',
        help: "one reseller's wallet alone, without the sums of the whole",
        names: 'reseller',
      },
      heads: { value: 'FILE', help: 'heads exported earlier, as `ledger heads --json` printed them' },
    },
    async run(call) {
      const file = call.find('heads')
      const exportedHeads = file === undefined ? undefined : await readHeadsFile(file)
      const { database, vault } = await call.runtime()
      return showReport(
        await verifyLedger({
          database,
          vault,
          listDrifted: listDriftedCounts,
          account: call.find('reseller'),
          exportedHeads,
        }),
      )
    },
  },
  {
    name: 'ledger heads',
    isLong: true,
    summary:
      "print the heads of the wallets' chains; keep them at a place that writers of this database cannot change",
    options: {},
    async run(call) {
      const { database } = await call.runtime()
      const heads = (await listAccountHeads(database)).map((head) => ({
        account: head.account,
        sequence: Number(head.sequence),
        hash: head.hash.toString('hex'),
        at: head.chainedAt.toISOString(),
      }))
      return { json: { heads }, text: formatTable(heads, 'Nothing is chained yet.') }
    },
  },
  {
    name: 'ledger chain',
    isLong: true,
    summary:
      'chain at once the entries that the service would chain within seconds, such as before `ledger heads`',
    options: {},
    async run(call) {
      const { database, vault } = await call.runtime()
      const { entries, broken } = await chainEntries({ database, vault })
      const text = `Chained ${entries} entries.`
      if (broken.length === 0) return { json: { entries, broken: 0 }, text }
      const hint = `${broken.length} wallet(s) cannot be chained further; see: warungd ledger verify`
      return { json: { entries, broken: broken.length }, text: `${text}\n${hint}`, code: 1 }
    },
  },
  {
    name: 'ledger balance',
    isLong: true,
    summary: "show a reseller's balance as of any instant",
    options: {
      reseller: RESELLER_OPTION,
      at: { value: 'INSTANT', help: 'ISO 8601 with its zone: 2026-07-30T23:59:59+08:00', required: true },
    },
    async run(call) {
      const { at } = readFields({ at: INSTANT }, { at: call.text('at') })
      const { accounts, reseller } = await openReseller(call)
      const { balance, sequence, atMicros } = await balanceAsOf(accounts.database, reseller.id, at)
      const view = {
        account: reseller.account,
        at: formatInstant(at),
        balance: moneyToNumber(balance),
        sequence: Number(sequence),
        entry_at: atMicros === undefined ? null : formatInstant(atMicros),
      }
      return { json: view, text: formatFields({ ...view, balance: formatMoney(balance) }) }
    },
  },
  {
    name: 'ledger house',
    isLong: true,
    summary: 'show the balances of the house accounts: the sums of their entries',
    options: {},
    async run(call) {
      const { database } = await call.runtime()
      return showSums(await sumLedger(database))
    },
  },
]

async function readHeadsFile(path: string): Promise<ExportedHead[]> {
  try {
    if ((await stat(path)).size > HEADS_BYTES_MAX) throw new Error('is too large for a file of heads')
    return readExportedHeads(await readFile(path, 'utf8'))
  } catch (error) {
    throw new Error(`--heads ${path}`, { cause: error })
  }
}

// ── Output ──

function showReport(report: LedgerReport): Output {
  const [first] = report.breaks
  const view = {
    ok: first === undefined,
    wallets: report.walletCount,
    entries: Number(report.entryCount),
    unchained: Number(report.unchainedCount),
    unchained_since:
      report.unchainedSinceMicros === undefined ? null : formatInstant(report.unchainedSinceMicros),
    exported_heads: report.exportedHeadCount,
    sums: report.sums === undefined ? null : sumsView(report.sums),
    first_break: first === undefined ? null : breakView(first),
    breaks: report.breaks.map(breakView),
  }
  const { breaks: _, first_break: __, sums: ___, ...counts } = view
  const lines = [formatFields(counts), ...report.breaks.map(breakLine)]
  return { json: view, text: lines.join('\n'), code: view.ok ? 0 : 1 }
}

function breakView({ kind, account, sequence, expected, found }: Break) {
  return {
    kind,
    account: account ?? null,
    sequence: sequence === undefined ? null : Number(sequence),
    expected,
    found,
  }
}

function breakLine({ kind, account, sequence, expected, found }: Break): string {
  const where = [
    account === undefined ? 'the ledger' : `account ${account}`,
    sequence === undefined ? '' : `, entry ${sequence}`,
  ].join('')
  return `\nBROKEN (${kind}) ${where}\n  expected: ${expected}\n  found:    ${found}`
}

function sumsView({ walletsBalance, houses }: LedgerSums) {
  return {
    wallets: moneyToNumber(walletsBalance),
    houses: houses.map((house) => ({
      house_account: house.houseAccount,
      entries: Number(house.entries),
      balance: moneyToNumber(house.balance),
    })),
    total: moneyToNumber(houses.reduce((total, house) => total + house.balance, walletsBalance)),
  }
}

function showSums(sums: LedgerSums): Output {
  const houses = sums.houses.map((house) => ({
    house_account: house.houseAccount,
    entries: house.entries,
    balance: formatMoney(house.balance),
  }))
  const total = sums.houses.reduce((sum, house) => sum + house.balance, sums.walletsBalance)
  const wallets = `\n\nwallets  ${formatMoney(sums.walletsBalance)}\ntotal    ${formatMoney(total)}`
  return { json: sumsView(sums), text: formatTable(houses, 'No entries yet.') + wallets }
}
