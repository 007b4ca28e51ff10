import { countUnfinished } from '../../../app/unfinished.ts'
import { PORT, parseNetwork } from '../../../lib/addresses.ts'
import { WEB_URL } from '../../../lib/input/urls.ts'
import { performAlone } from '../../../modules/acts/service.ts'
import { createAuditLog } from '../../../modules/audit/service.ts'
import { sendCallbacks } from '../../../modules/providers/books/callbacks.service.ts'
import type { BookOrder } from '../../../modules/providers/books/types.ts'
import { getBook, getPack, listPacks, readGuide } from '../../../modules/providers/packs/library.service.ts'
import type { Upgrade } from '../../../modules/providers/packs/packs.service.ts'
import { getPackOf, planUpgrade } from '../../../modules/providers/packs/packs.service.ts'
import type { Pack } from '../../../modules/providers/packs/types.ts'
import { packView, upgradeView } from '../../../modules/providers/packs/view.ts'
import { upgradeProvider } from '../../../modules/providers/packs.acts.ts'
import { recordProofs } from '../../../modules/providers/proofs/acts.ts'
import { standingsOf } from '../../../modules/providers/proofs/claims.rules.ts'
import { PROOF, STANDING } from '../../../modules/providers/proofs/codec.ts'
import { proveProvider } from '../../../modules/providers/proofs/prove.service.ts'
import { listProofs } from '../../../modules/providers/proofs/reads.ts'
import { createOutbound } from '../../../outbound/client.ts'
import type { Call, Command, Option, Output } from '../../command.ts'
import { UsageError } from '../../command.ts'
import { actCommand } from '../../kit/acts.ts'
import { readOption } from '../../options.ts'
import { commandCaller, USUAL_REASON } from '../../record.ts'
import { processIo } from '../../simulator.ts'
import { formatFields, formatTable } from '../../text.ts'
import { readPairs, SETTING } from './pack-options.ts'
import { openConnections, readSecrets } from './providers.ts'

const PROVIDER: Option = { value: 'CODE', help: "the provider's code", required: true, names: 'provider' }

const packsCommand: Command = {
  name: 'provider packs',
  summary: 'list the suppliers that are known, or show one: warungd provider add --pack NAME connects it',
  options: { pack: { value: 'NAME', help: 'show its settings, secrets, claims and test mode' } },
  async run(call) {
    const name = call.find('pack')
    if (name !== undefined) return showPack(await getPack(name))
    const packs = (await listPacks()).map(packRow)
    const text = formatTable(
      packs.map(({ claims: _, ...row }) => row),
      'This version has no packs.',
    )
    return { json: { packs }, text }
  },
}

function packRow({ id, manifest }: Pack) {
  const { name, version, countries, sells, currency, claims } = manifest
  return {
    pack: id,
    name,
    version,
    countries,
    sells,
    currency,
    settings: Object.keys(manifest.settings),
    secrets: Object.keys(manifest.secrets),
    claims: Object.fromEntries(
      Object.entries(claims).map(([claim, { state, value }]) => [claim, { state, value }]),
    ),
  }
}

async function showPack(pack: Pack): Promise<Output> {
  const view = packView(pack, await readGuide(pack.id))
  const { settings, secrets, claims, test_mode: test, guide } = view
  const parts = [
    formatFields({ pack: view.pack, name: view.name, version: view.version, currency: view.currency }),
    formatTable(settings, 'It has no settings.'),
    formatTable(secrets, 'It has no secrets.'),
    formatTable(
      claims.map(({ claim, state, value, says }) => ({ claim, state, value, says })),
      '',
    ),
    `test mode: ${test.says}`,
    guide,
  ]
  return { json: { ...view }, text: parts.join('\n\n') }
}

// ── Claims ──

const claimsCommand: Command = {
  name: 'provider claims',
  summary: 'show what is said of a supplier: documented, unknown, or proven on a day, and the proofs',
  options: { provider: PROVIDER },
  async run(call) {
    const { database } = await call.runtime()
    const code = call.text('provider')
    const { pack } = await getPackOf(database, code)
    const proofs = await listProofs(database, code)
    const claims = standingsOf(pack.manifest, proofs).map((each) => STANDING.encode(each))
    const rows = claims.map(({ claim, standing, value, at, says }) => ({ claim, standing, value, at, says }))
    const json = { provider: code, pack: pack.id, claims, proofs: proofs.map((proof) => PROOF.encode(proof)) }
    return { json, text: formatTable(rows, '') }
  },
}

// ── Upgrades ──

const accept = actCommand({
  name: 'provider upgrade',
  summary: 'compare a provider with the present version of its pack, and take it over',
  details: `Without --accept it changes nothing and shows each difference. What people changed since stays as they made it, and is
marked. Other settings, such as the address of real orders, are given with --setting.`,
  act: upgradeProvider,
  without: ['settings', 'secrets'],
  options: {
    provider: PROVIDER,
    setting: SETTING,
    accept: { help: 'take the differences over' },
  },
  input: (call) => ({ settings: readPairs(call) }),
  world: async (_runtime, call) => ({ ...(await openConnections(call)), countUnfinished }),
  show: ({ upgrade }) => showUpgrade(upgrade, true),
})

const upgradeCommand: Command = {
  ...accept,
  async run(call) {
    if (call.has('accept')) return accept.run(call)
    const { database } = await call.runtime()
    const { upgrade } = await planUpgrade(database, call.text('provider'), readPairs(call))
    return showUpgrade(upgrade, false)
  },
}

function showUpgrade(upgrade: Upgrade, isDone: boolean): Output {
  const view = upgradeView(upgrade)
  const { differences, ...facts } = view
  const rows = differences.map(({ path, now, next, kept }) => ({
    path,
    now: JSON.stringify(now),
    next: JSON.stringify(next),
    kept: kept ? 'as people made it' : '',
  }))
  const table = formatTable(rows, 'Nothing differs.')
  return {
    json: { ...view, accepted: isDone },
    text: `${formatFields({ ...facts, accepted: isDone })}\n\n${table}`,
  }
}

// ── Proofs ──

const WAIT_S = 120

const proveCommand: Command = {
  name: 'provider prove',
  summary:
    "try what a pack says of its supplier, by the supplier's test mode, and keep the results with their date",
  details: `Sends the test orders of the pack, asks about them until they are decided, and repeats one of them. It refuses a connection
that does not lead to the test address of its pack. Results hold no secret, no PIN and none of the supplier's words.
Exit code: 0 nothing that was tried failed, 1 something did not hold.`,
  options: {
    provider: PROVIDER,
    'live-address': {
      help: 'the credentials are for tests, although the address is that of real orders too',
    },
    'supplier-code': {
      value: 'CODE',
      help: "the supplier's code of a product, for test orders that name none",
    },
    wait: { value: 'SECONDS', help: `longest time for all test orders together (default ${WAIT_S})` },
  },
  isLong: true,
  async run(call) {
    const code = call.text('provider')
    const connections = await openConnections(call)
    const mayBeLiveAddress = call.has('live-address')
    const results = await proveProvider({
      ...connections,
      code,
      mayBeLiveAddress,
      supplierCode: call.find('supplier-code'),
      waitMs: waitMsOf(call),
    })
    const { database, vault } = connections
    const proofs = await performAlone({ log: createAuditLog({ database, vault }), world: {} }, recordProofs, {
      caller: commandCaller(),
      input: { code, results },
      reason: USUAL_REASON,
    })
    const rows = proofs.map((proof) => PROOF.encode(proof))
    const isEveryOneFine = proofs.every(({ result }) => result !== 'did_not_hold')
    return {
      json: { provider: code, proofs: rows },
      text: formatTable(
        rows.map(({ claim, result, says }) => ({ claim, result, says })),
        'Nothing was tried.',
      ),
      code: isEveryOneFine ? 0 : 1,
    }
  },
}

function waitMsOf(call: Call): number {
  const seconds = Number(call.find('wait') ?? WAIT_S)
  if (!Number.isInteger(seconds) || seconds < 1 || seconds > 3_600) {
    throw new UsageError('--wait: must be a whole number of seconds from 1 to 3600')
  }
  return seconds * 1_000
}

// ── Answers ──

const PORT_USUAL = 3_200
const LOCAL = ['127.0.0.0/8', '::1/128'].map(parseNetwork).filter((each) => each !== undefined)

const answersCommand: Command = {
  name: 'provider answers',
  summary: "speak as a pack's supplier on this machine, from its book of answers, for tests",
  details: `A connection of the pack with --setting base_url=http://127.0.0.1:PORT leads there. Which order gets which answer stands in
answers.json of the pack, by account or product. It keeps nothing when it ends.`,
  options: {
    pack: { value: 'NAME', help: 'as warungd provider packs lists it', required: true },
    port: { value: 'PORT', help: `where it listens; 0 picks a free one (default ${PORT_USUAL})` },
    'callback-url': { value: 'URL', help: "send the supplier's callback about each order there" },
    'secrets-file': { value: 'FILE', help: 'a JSON object with the secrets that sign callbacks' },
    'secrets-stdin': { help: 'the same from standard input' },
  },
  run: (call) => serveAnswers(call),
}

export async function serveAnswers(
  call: Call,
  io: { out(text: string): void; asked: Promise<unknown> } = processIo(),
): Promise<number> {
  const { startBookServer } = await import('../../../modules/providers/books/server.service.ts')
  const book = await getBook(call.text('pack'))
  const port = readOption('port', PORT, call.find('port') ?? String(PORT_USUAL))
  const given = call.find('callback-url')
  const url = given === undefined ? undefined : readOption('callback-url', WEB_URL, given)
  const secrets = ((await readSecrets(call)) ?? {}) as Readonly<Record<string, string>>
  const outbound = createOutbound({ allow: LOCAL })
  const onOrder = (order: BookOrder) => {
    if (url === undefined) return
    sendCallbacks({ book, url, secrets, outbound }, order).then(
      (statuses) => call.note(`callbacks about ${order.reference} were answered ${statuses.join(', ')}`),
      (error: unknown) => call.note(`the callback about ${order.reference} was not sent: ${String(error)}`),
    )
  }
  const server = await startBookServer({ book, port, onOrder })
  const orders = book.scenarios.map(({ name, account, product, expect }) => ({
    account,
    product: product === null ? null : JSON.stringify(product),
    ends: expect.final,
    scenario: name,
  }))
  const json = `${JSON.stringify({ url: server.url, orders })}\n`
  io.out(call.has('json') ? json : `The supplier is at ${server.url}\n\n${formatTable(orders, '')}\n`)
  await io.asked
  await server.close()
  await outbound.close()
  return 0
}

export const packCommands: readonly Command[] = [
  packsCommand,
  claimsCommand,
  upgradeCommand,
  proveCommand,
  answersCommand,
]
