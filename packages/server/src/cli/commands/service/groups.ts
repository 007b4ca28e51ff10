import { readPresent } from '../../../app/groups/carried.service.ts'
import { configOfGroup } from '../../../config/groups.ts'
import type { Config } from '../../../config.ts'
import { becomeFollower } from '../../../db/carried.ts'
import { UNLIMITED } from '../../../db/connection.ts'
import type { Database } from '../../../db/database.ts'
import { migrate, pendingMigrations } from '../../../db/migrate.ts'
import { describePlace } from '../../../db/moves/described.ts'
import { UnservedError } from '../../../db/moves/place.ts'
import { distributeSchema } from '../../../db/nodes/citus.ts'
import type { Amount } from '../../../lib/money.ts'
import { formatMoney, moneyToNumber } from '../../../lib/money.ts'
import { countResellers } from '../../../modules/accounts/public.sql.ts'
import { listDriftedCounts } from '../../../modules/payments/limits/service.ts'
import { verifyLedger } from '../../../modules/wallet/ledger/audit.service.ts'
import type { LedgerReport } from '../../../modules/wallet/ledger/audit.types.ts'
import { openRuntime, reachDatabase } from '../../../runtime.ts'
import type { Command, Output } from '../../command.ts'
import { describeError, formatTable } from '../../text.ts'
import { chosenConfig, NAME } from './chosen-group.ts'
import { moveCommands } from './group-moves.ts'

/** Name under which the first group is shown. Its API keys carry none. */
const FIRST = '(first)'

export const groupCommands: readonly Command[] = [
  {
    name: 'group list',
    summary: 'list the groups of resellers: where each one lies, and whether it can be served',
    details: `States: ready; behind, when its schema is of an earlier version (\`group create\` or a start of the service
brings it up to date); newer, when it is of a later one; missing, when its database has no such schema; arriving, when
a move to there is not finished; moved, when it was moved away; and unreachable. Carried is the version of what is written
in the first group (catalogue, prices, suppliers, operators) that a group has, and lags the number of versions that it
lacks.`,
    options: {},
    async run(call) {
      const states = await oneByOne(listConfigs(call.config()), stateOf)
      const [first] = states
      const groups = states.map(({ carried, ...state }) => ({ ...state, ...lagOf(carried, first?.carried) }))
      return { json: { groups }, text: formatTable(groups, '') }
    },
  },
  {
    name: 'group create',
    summary: 'make the schema of a group that WARUNG_GROUPS lists, or bring it up to date',
    details: `The role of its database needs the right to create a schema there. Running services open the group when they
are started anew, or reloaded, with a file that lists it, and bring it what is written in the first group: catalogue,
prices, suppliers and operators. \`--group NAME\` makes every other command work there.`,
    places: [NAME],
    options: {},
    async run(call) {
      const config = chosenConfig(call)
      const reached = await reachDatabase(config, { purpose: 'command', isAtCoordinator: true })
      try {
        const steps = await migrate(reached.database)
        await reached.database.withConnection(distributeSchema, { statementMs: UNLIMITED })
        await becomeFollower(reached.database, call.config().publicUrl ?? 'its address')
        const { carried: _, ...state } = await stateOf(config)
        const view = { ...state, steps: steps.length }
        return { json: view, text: `The group ${view.name} is ready: ${steps.length} steps were applied.` }
      } finally {
        await reached.close()
      }
    },
  },
  {
    name: 'group verify',
    isLong: true,
    summary:
      'prove the ledger of one group, or of each and the sum of all; ends with 1 if something is wrong',
    places: [NAME],
    options: {},
    async run(call) {
      const configs = call.find('name') === undefined ? listConfigs(call.config()) : [chosenConfig(call)]
      return showProofs(await oneByOne(configs, proofOf))
    },
  },
  ...moveCommands,
]

function listConfigs(config: Config): Config[] {
  return [config, ...config.groups.map((group) => configOfGroup(config, group))]
}

/** Looks at one group after the other: without a service, each look may start the embedded server. */
async function oneByOne<T>(configs: readonly Config[], look: (config: Config) => Promise<T>): Promise<T[]> {
  const found: T[] = []
  for (const config of configs) found.push(await look(config))
  return found
}

// ── States ──

async function stateOf(config: Config) {
  const named = { name: config.group ?? FIRST, url: config.publicUrl ?? null }
  const unknown = {
    server: null,
    database: null,
    schema: config.schema ?? null,
    resellers: null,
    version: null,
    carried: null,
  }
  try {
    const reached = await reachDatabase(config, { purpose: 'command' })
    try {
      return { ...named, ...(await describe(reached.database)) }
    } finally {
      await reached.close()
    }
  } catch (error) {
    const state = error instanceof UnservedError ? error.state : 'unreachable'
    return { ...named, ...unknown, state, problem: describeError(error) }
  }
}

async function describe(database: Database) {
  const { version, ...place } = await describePlace(database)
  const nothing = { resellers: null, version, carried: null }
  if (version === null) return { ...place, ...nothing, state: 'missing', problem: null }
  try {
    const pending = await pendingMigrations(database)
    const resellers = await countResellers(database)
    if (pending.length > 0) return { ...place, ...nothing, resellers, state: 'behind', problem: null }
    const carried = await readPresent(database)
    return {
      ...place,
      resellers,
      version,
      carried: carried.version,
      state: 'ready',
      problem: carried.trouble,
    }
  } catch (error) {
    return { ...place, ...nothing, state: 'newer', problem: describeError(error) }
  }
}

/** Shows the version of what is carried, and how many versions it is behind that of the first group. */
function lagOf(carried: bigint | null, first: bigint | null | undefined) {
  const lags = carried === null || first === null || first === undefined ? null : Number(first - carried)
  return {
    carried: carried === null ? null : Number(carried),
    lags: lags === null ? null : Math.max(lags, 0),
  }
}

// ── Proofs ──

type Proof = {
  readonly name: string
  readonly report: LedgerReport | undefined
  readonly problem: string | null
}

async function proofOf(config: Config): Promise<Proof> {
  const name = config.group ?? FIRST
  try {
    const runtime = await openRuntime(config, { purpose: 'command', isLong: true })
    try {
      const { database, vault } = runtime
      const report = await verifyLedger({ database, vault, listDrifted: listDriftedCounts })
      return { name, report, problem: null }
    } finally {
      await runtime.close()
    }
  } catch (error) {
    return { name, report: undefined, problem: describeError(error) }
  }
}

function showProofs(proofs: readonly Proof[]): Output {
  const balances = proofs.map(({ report }) => report?.sums?.walletsBalance ?? null)
  const groups = proofs.map(({ name, report, problem }, index) => ({
    name,
    ok: report?.breaks.length === 0,
    wallets: report?.walletCount ?? null,
    entries: report === undefined ? null : Number(report.entryCount),
    balance: toNumber(balances[index] ?? null),
    problem: problem ?? (report?.breaks[0] && `${report.breaks[0].kind}: see warungd ledger verify`) ?? null,
  }))
  // A sum without one of its parts is none.
  const whole = balances.every((balance) => balance !== null)
  const sum = whole ? balances.reduce((total: Amount, balance) => total + (balance ?? 0n), 0n) : null
  const ok = groups.every((group) => group.ok)
  const total = sum === null ? 'not known' : formatMoney(sum)
  return {
    json: { ok, groups, balance: toNumber(sum) },
    text: `${formatTable(groups, '')}\nbalance of all wallets: ${total}`,
    code: ok ? 0 : 1,
  }
}

function toNumber(amount: Amount | null): number | null {
  return amount === null ? null : moneyToNumber(amount)
}
