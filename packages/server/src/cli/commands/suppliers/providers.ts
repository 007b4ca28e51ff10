import { readFile } from 'node:fs/promises'
import { countUnfinished } from '../../../app/unfinished.ts'
import { formatMoney, parseMoney } from '../../../lib/money.ts'
import { dropProvider, switchProvider } from '../../../modules/margins/routes.acts.ts'
import { addProvider, changeProvider } from '../../../modules/providers/acts.ts'
import type { Connections } from '../../../modules/providers/connections/connections.service.ts'
import { getConnection, listConnections } from '../../../modules/providers/connections/connections.service.ts'
import type { Connection } from '../../../modules/providers/connections/connections.types.ts'
import { listHealthReports } from '../../../modules/providers/health/health.service.ts'
import { listKinds } from '../../../modules/providers/kinds.service.ts'
import { getPack } from '../../../modules/providers/packs/library.service.ts'
import { findPackOf } from '../../../modules/providers/packs/packs.service.ts'
import { createOutbound } from '../../../outbound/client.ts'
import { namesOfSuppliers } from '../../../outbound/purposes.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { consentOf, DRY_RUN_OPTION, noteFindings, PRICE_OPTIONS } from '../../consent.ts'
import { actCommand } from '../../kit/acts.ts'
import { connectionView, healthView } from '../../provider-views.ts'
import { formatFields, formatTable } from '../../text.ts'
import { PACK_OPTIONS, readPairs, readProducts } from './pack-options.ts'
import { supplyWorld } from './routes.ts'

const CODE_OPTION: Option = { value: 'CODE', help: "the provider's code", required: true, names: 'provider' }

// Secrets never come as an argument: arguments are visible in the shell's history and in the process list.
const SETTING_OPTIONS: Readonly<Record<string, Option>> = {
  file: {
    value: 'FILE',
    help: "the connector's configuration as JSON; its members depend on the kind",
  },
  'secrets-file': { value: 'FILE', help: 'a JSON object of names and values' },
  'secrets-stdin': { help: 'the same from standard input' },
  'limits-file': {
    value: 'FILE',
    help: "JSON: concurrency, rate_per_second, breaker; the connector's own values hold for the rest",
  },
  'float-alert': {
    value: 'AMOUNT',
    help: 'raise an alert when our money there falls below this, in its currency; none: never',
  },
}

const SWITCH_DETAILS = `Where the cheapest route charges more than a price afterwards, this is shown with what it would
have cost on the sales of the last 30 days, and done only with --accept-loss and that figure.`

export const providerCommands: readonly Command[] = [
  actCommand({
    name: 'provider add',
    act: addProvider,
    summary: 'connect a provider; a configuration with a mistake is not saved',
    details: `Nodes use it within seconds. It gets no orders before a route leads to it: see warungd route set.
--pack connects a supplier that warungd provider packs lists: its settings and secrets are in the pack's own page.
The configuration of kind http is described in docs/guides/connect-a-supplier.md. A supplier that gives PINs or links and
cannot be asked again (no query) is named as such: see docs/guides/providers.md.`,
    options: {
      code: {
        value: 'CODE',
        help: 'small letters, digits, _ and -; never changed; with --pack: its name if left out',
      },
      kind: { value: 'KIND', help: 'which connector speaks to it: http, stock, simulator; or --pack' },
      name: { value: 'TEXT', help: 'for people; left out: the name of the pack, or the code' },
      ...PACK_OPTIONS,
      ...SETTING_OPTIONS,
      disabled: { help: 'it takes no orders until it is enabled' },
      'dry-run': DRY_RUN_OPTION,
    },
    async input(call) {
      const { config = {}, ...settings } = await readSettings(call)
      const what = readWhat(call)
      const name = call.find('name') ?? (await usualName(what))
      const made = {
        ...what,
        name,
        isEnabled: !call.has('disabled'),
        ...settings,
      }
      return 'pack' in what ? { ...made, settings: readPairs(call) } : { ...made, config }
    },
    world: (_runtime, call) => openConnections(call),
    show: showChanged,
  }),
  actCommand({
    name: 'provider update',
    act: changeProvider,
    summary: "change a provider's name, configuration, secrets or limits",
    details: `Options that are left out change nothing. Secrets are replaced by name. Orders under way end as they began.
While payments or voids at it are unfinished, configuration and secrets change only with --same-supplier: another supplier would
be asked about orders that it never had.`,
    options: {
      code: CODE_OPTION,
      name: { value: 'TEXT', help: 'for people' },
      ...SETTING_OPTIONS,
      'forget-secret': { value: 'NAME', help: 'a secret that is needed no more', multiple: true },
      'same-supplier': {
        help: 'configuration and secrets still lead to the same account at the same supplier',
      },
      'dry-run': DRY_RUN_OPTION,
    },
    async input(call) {
      const name = call.find('name')
      return {
        code: call.text('code'),
        ...(name !== undefined && { name }),
        ...(await readSettings(call)),
        forgottenSecrets: call.list('forget-secret'),
        isSameSupplier: call.has('same-supplier'),
      }
    },
    world: async (_runtime, call) => ({ ...(await openConnections(call)), countUnfinished }),
    show: showChanged,
  }),
  {
    name: 'provider list',
    summary: 'list the providers',
    options: {},
    async run(call) {
      const { database } = await call.runtime()
      const views = (await listConnections(database)).map(connectionView)
      const rows = views.map(({ code, kind, name, enabled, updated_at }) => ({
        code,
        kind,
        name,
        enabled,
        updated_at,
      }))
      return { json: { providers: views }, text: formatTable(rows, 'No provider is connected.') }
    },
  },
  {
    name: 'provider show',
    summary: 'show a provider, its configuration and the names of its secrets',
    options: { code: CODE_OPTION },
    async run(call) {
      const { database } = await call.runtime()
      const view = connectionView(await getConnection(database, call.text('code')))
      const { text } = fields(view)
      const made = (await findPackOf(database, view.code)) ?? null
      const of = made === null ? '' : `\npack: ${made.pack}, version ${made.version}`
      return {
        json: { ...view, pack: made },
        text: `${text}${of}\n\nconfig:\n${JSON.stringify(view.config, null, 2)}`,
      }
    },
  },
  switchCommand('provider enable', 'let a provider take orders', true),
  switchCommand(
    'provider disable',
    'send a provider no new orders; it is still asked about earlier ones',
    false,
  ),
  actCommand({
    name: 'provider remove',
    summary: 'remove a provider that is disabled and has no unfinished payment or void, with its routes',
    act: dropProvider,
    options: { code: CODE_OPTION, ...PRICE_OPTIONS },
    consent: consentOf,
    world: (runtime) => ({ ...supplyWorld(runtime), countUnfinished }),
    show(comparison, call) {
      noteFindings(call, comparison)
      const code = call.text('code')
      return { json: { removed: code }, text: `Provider ${code} is removed.` }
    },
  }),
  {
    name: 'provider health',
    summary: "show each running node's measurements of each provider in the last half a minute",
    options: {},
    async run(call) {
      const { database } = await call.runtime()
      const health = (await listHealthReports(database)).map(healthView)
      return {
        json: { health },
        text: formatTable(health, 'No node has sent an order in the last half a minute.'),
      }
    },
  },
]

function switchCommand(name: string, summary: string, enabled: boolean): Command {
  return actCommand({
    name,
    summary,
    details: SWITCH_DETAILS,
    act: switchProvider,
    without: ['enabled', 'acceptLoss'],
    options: { code: CODE_OPTION, ...PRICE_OPTIONS },
    input: () => ({ enabled }),
    consent: consentOf,
    world: supplyWorld,
    show({ connection, comparison }, call) {
      noteFindings(call, comparison)
      return fields(connectionView(connection))
    },
  })
}

export async function showChanged(connection: Connection, call: Call): Promise<Output> {
  const { kind, config, secretNames } = connection
  const { kinds } = await openConnections(call)
  for (const warning of kinds.get(kind)?.warningsOf?.(config, Object.keys(secretNames)) ?? []) {
    call.note(`warning: ${warning}`)
  }
  return fields(connectionView(connection))
}

export function fields(view: ReturnType<typeof connectionView>): Output {
  return {
    json: view,
    text: formatFields({
      ...view,
      config: summaryOf(view.config),
      limits: summaryOf(view.limits),
      secrets: view.secrets.map(({ name, set_at }) => `${name} (set ${set_at})`).join(', '),
    }),
  }
}

/** Longest value that is shown as it is. */
const SHOWN_LENGTH_MAX = 100

/** Shows a short value whole, and of a long one the names of its members. */
function summaryOf(value: unknown): string {
  const json = JSON.stringify(value)
  if (json.length <= SHOWN_LENGTH_MAX) return json
  return `${Object.keys(value as object).join(', ')} (whole: provider show, --json)`
}

// ── Helpers ──

export async function openConnections(call: Call): Promise<Connections> {
  const { config, database, vault } = await call.runtime()
  const kinds = listKinds({
    environment: config.environment,
    database,
    vault,
    outbound: createOutbound({
      allow: config.outbound.allow,
      ca: config.outbound.authority?.pem,
      names: namesOfSuppliers(config.outbound.nameServers),
    }),
    fulfilment: () => 'plain',
    nowMs: Date.now,
    onProblem: (text) => call.note(text),
  })
  return { database, vault, kinds }
}

/** Reads what is to be connected: a connector's kind with a code, or a pack. */
function readWhat(call: Call) {
  const [pack, kind] = [call.find('pack'), call.find('kind')]
  const code = call.find('code') ?? pack
  if (code === undefined) throw new UsageError('--code missing; see: warungd provider add --help')
  if (pack === undefined && kind === undefined) throw new UsageError('give --kind or --pack')
  if (pack === undefined) return { code, kind: call.text('kind') }
  if (kind !== undefined || call.has('file')) {
    throw new UsageError('--pack has its own kind and configuration: give no --kind and no --file')
  }
  return { code, pack, products: readProducts(call.list('product')) }
}

async function usualName(what: { readonly code: string; readonly pack?: string }): Promise<string> {
  return what.pack === undefined ? what.code : (await getPack(what.pack)).manifest.name
}

async function readSettings(call: Call) {
  const file = call.find('file')
  const limitsFile = call.find('limits-file')
  const floatAlert = readFloatAlert(call.find('float-alert'))
  const secrets = await readSecrets(call)
  return {
    ...(file !== undefined && { config: await readJsonFile(file) }),
    ...(limitsFile !== undefined && { limits: await readJsonFile(limitsFile) }),
    ...(floatAlert !== undefined && { floatAlert }),
    ...(secrets !== undefined && { secrets }),
  }
}

export async function readSecrets(call: Call): Promise<unknown> {
  const file = call.find('secrets-file')
  if (!call.has('secrets-stdin')) return file === undefined ? undefined : readJsonFile(file)
  if (file !== undefined) throw new UsageError('give --secrets-file or --secrets-stdin, not both')
  return parseJson('standard input', await call.readInput())
}

async function readJsonFile(path: string): Promise<unknown> {
  let content: string
  try {
    content = await readFile(path, 'utf8')
  } catch (cause) {
    throw new Error(`${path} cannot be read`, { cause })
  }
  return parseJson(path, content)
}

/** Parses JSON. The parser's own message is not shown, because it would quote the input, which may be a secret. */
function parseJson(what: string, content: string): unknown {
  try {
    return JSON.parse(content)
  } catch {
    throw new UsageError(`${what}: is not JSON`)
  }
}

function readFloatAlert(text: string | undefined): bigint | null | undefined {
  if (text === undefined) return undefined
  if (text === 'none') return null
  const amount = parseMoney(text)
  if (amount === undefined) {
    throw new UsageError(`--float-alert: must be an amount such as ${formatMoney(10_000_000n)}, or none`)
  }
  return amount
}
