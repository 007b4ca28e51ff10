import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { send } from '../http.ts'
import { hireOperator } from '../operator/operators.ts'
import type { Browser } from '../portal/people.ts'
import { signIn } from '../portal/people.ts'
import { makeDirectory } from '../service.ts'
import { NEVER_DECIDED } from './clients.ts'
import type { Random } from './random.ts'
import type { OperatorStep } from './records.ts'
import type { FaultySupplier } from './suppliers.ts'
import type { World } from './world.ts'

// Operators who work while everything breaks: deposits, approvals, decisions, voids, settlement files.

export type Operators = {
  readonly steps: OperatorStep[]
  /** Works until it is stopped. */
  work(isStopped: () => boolean): Promise<void>
  /** Decides every payment of which no supplier says what became of it, and every void that is left to people. */
  decideUndecided(): Promise<void>
}

const PAUSE_MIN_MS = 300
const PAUSE_MAX_MS = 1_200
const DEPOSIT = '20'
const GMT8_MS = 8 * 3_600_000

/** Operators: one asks for a deposit, one for a void, and another one approves both. */
type Staff = { readonly asks: Browser; readonly supports: Browser; readonly approves: Browser }

type Scene = {
  readonly world: World
  readonly random: Random
  readonly staff: Staff
  readonly directory: string
  readonly runName: string
  readonly steps: OperatorStep[]
  /** Decision about each case, which nobody changes: that of the biller, by telephone. */
  readonly decisions: Map<string, 'approve' | 'refuse'>
}

export async function hireOperators(world: World, random: Random, runName: string): Promise<Operators> {
  const { service } = world.demo
  const at = (index: number) => ({ baseUrl: world.nodes.at(index)?.url ?? '' })
  const staff = {
    asks: await signIn(at(0), 'operator', await hireOperator(service, 'finance')),
    supports: await signIn(at(0), 'operator', await hireOperator(service, 'support')),
    approves: await signIn(at(-1), 'operator', await hireOperator(service, 'finance')),
  }
  const directory = await makeDirectory()
  await writeFile(join(directory, 'mapping.json'), JSON.stringify(MAPPING))
  const scene: Scene = { world, random, staff, directory, runName, steps: [], decisions: new Map() }
  return {
    steps: scene.steps,
    async work(isStopped) {
      for (let turn = 0; !isStopped(); turn += 1) {
        const step = random.weighted(STEPS)
        await step(scene, turn)
        await new Promise((resolve) => setTimeout(resolve, random.between(PAUSE_MIN_MS, PAUSE_MAX_MS)))
      }
    },
    async decideUndecided() {
      await decide(scene)
      await decideVoids(scene)
    },
  }
}

function note({ world, steps }: Scene, step: Omit<OperatorStep, 'atMs'>): void {
  steps.push({ atMs: world.nowMs(), ...step })
}

function poorAccount({ world }: Scene): string {
  return world.resellers.find(({ isPoor }) => isPoor)?.account ?? ''
}

/** Posts a deposit under a reference. One of unknown end is posted again under the same reference. */
async function depositByCommand(scene: Scene, turn: number): Promise<void> {
  const subject = `${scene.runName} slip ${turn}`
  const account = poorAccount(scene)
  const how = ['--reseller', account, '--amount', DEPOSIT, '--remarks', subject, '--reference', subject]
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const posted = await scene.world.command('deposit', ...how)
    note(scene, {
      kind: 'deposit',
      subject,
      account,
      told: posted === undefined ? 'unknown' : 'done',
      detail: DEPOSIT,
    })
    if (posted !== undefined) return
  }
}

/** Asks for a deposit in the back office; a second person approves it, again and again until there is an answer. */
async function depositByApproval(scene: Scene, turn: number): Promise<void> {
  const { asks, approves } = scene.staff
  const subject = `${scene.runName} approval ${turn}`
  const account = poorAccount(scene)
  const posting = { account, amount: DEPOSIT, remarks: subject, reason: 'seen' }
  const asked = await asks.send('POST', '/deposits', posting).catch(() => undefined)
  if (asked === undefined || asked.status >= 300) return
  const { id } = asked.json<{ data: { id: string } }>().data
  await approve(approves, id, (told, detail) =>
    note(scene, { kind: 'approval', subject, account, told, detail }),
  )
}

/** Approves a request, again and again until there is an answer. */
async function approve(
  approves: Browser,
  id: string,
  onAnswer: (told: OperatorStep['told'], detail: string) => void,
): Promise<void> {
  for (let attempt = 0; attempt < 4; attempt += 1) {
    const answer = await approves
      .send('POST', `/approvals/${id}/approve`, { reason: 'looked at it' })
      .catch(() => undefined)
    const isDone = answer?.status === 200
    onAnswer(isDone ? 'done' : 'unknown', String(answer?.status))
    if (isDone) return
  }
}

type OpenVoid = { number: string; refid: string; account: string }
const VOIDS_AT_ONCE = 5
const APPROVED_SHARE = 0.7

/** Decides voids that no supplier is asked about. A dear one is asked for by one person and approved by another. */
async function decideVoids(scene: Scene): Promise<void> {
  const { world, random, decisions } = scene
  const cases = await world.query<OpenVoid>(
    `select c.number, c.refid, r.account from cases c join resellers r on r.id = c.reseller_id
      where c.kind = 'void' and c.closed_at is null and r.account = any ($1)
        and not exists (select from case_work w where w.reseller_id = c.reseller_id and w.case_id = c.id)
      order by c.id limit $2`,
    [world.resellers.map(({ account }) => account), VOIDS_AT_ONCE],
  )
  for (const found of cases) {
    const decision = decisions.get(found.number) ?? (random.chance(APPROVED_SHARE) ? 'approve' : 'refuse')
    decisions.set(found.number, decision)
    await decideVoid(scene, found, decision)
  }
}

async function decideVoid(
  scene: Scene,
  { number, refid, account }: OpenVoid,
  decision: 'approve' | 'refuse',
): Promise<void> {
  const { supports, approves } = scene.staff
  const say = (told: OperatorStep['told']) =>
    note(scene, { kind: 'void', subject: refid, account, told, detail: decision })
  const body =
    decision === 'approve'
      ? { evidence: 'the biller called', reason: 'approved by the biller' }
      : { message: 'The biller refused it.' }
  // The decision is noted before it is made: it counts even if its answer is lost.
  say('unknown')
  const answer = await supports.send('POST', `/cases/${number}/${decision}`, body).catch(() => undefined)
  if (answer?.status === 200) say('done')
  if (answer?.status !== 202) return
  const { id } = answer.json<{ data: { id: string } }>().data
  await approve(approves, id, (told) => say(told))
}

/**
 * Decides payments that no supplier decides. Their due time is brought nearer: it is not what is tested here. An order
 * that no supplier has is left to the service: on the telephone nobody would say that it was carried out.
 */
async function decide(scene: Scene): Promise<void> {
  const { world, random } = scene
  const rows = await world.query<{ account: string; refid: string; id: string }>(
    `update payment_work w set due_at = w.submitted_at
       from payments p join resellers r on r.id = p.reseller_id
      where p.reseller_id = w.reseller_id and p.id = w.payment_id and p.account = $1 and p.code = 1
    returning r.account, p.refid, p.id::text`,
    [NEVER_DECIDED],
  )
  if (rows.length === 0) return
  const books = await Promise.all(world.suppliers.map(({ simulator }) => simulator.books()))
  const isKnown = (id: string) => books.flat().some(({ reference }) => reference.startsWith(`W${id}-`))
  for (const { account, refid } of rows.filter(({ id }) => isKnown(id))) {
    const as = random.pick(['succeeded', 'failed'])
    const how = ['--reseller', account, '--refid', refid, '--as', as, '--reason', 'asked by telephone']
    // The decision is noted before it is made: it counts even if its answer is lost.
    note(scene, { kind: 'resolve', subject: refid, account, told: 'unknown', detail: as })
    const done = await scene.world.command('payment', 'resolve', ...how)
    if (done !== undefined)
      note(scene, { kind: 'resolve', subject: refid, account, told: 'done', detail: as })
  }
}

const MAPPING = {
  reference: { column: 'reference' },
  amount: { column: 'amount' },
  state: {
    column: 'state',
    values: { SUCCESS: 'succeeded', FAILED: 'failed', PENDING: 'pending', VOIDED: 'failed' },
  },
  time: { column: 'time', format: 'yyyy-MM-dd HH:mm:ss', zone: '+08:00' },
}

type Difference = { id: string; kind: string; reference: string; theirs: string; ours: string }

/** Imports a supplier's account of the day so far, and lets it decide payments that are not final here. */
async function importSettlement(scene: Scene, turn: number): Promise<void> {
  const { world, random, directory } = scene
  const { code, simulator } = random.pick(world.suppliers) as FaultySupplier
  const day = new Date(Date.now() + GMT8_MS).toISOString().slice(0, 10)
  const answer = await send({ baseUrl: simulator.url, path: `/settlement?day=${day}` })
  const path = join(directory, `${turn}.csv`)
  await writeFile(path, answer.text)
  const how = ['--file', path, '--mapping', join(directory, 'mapping.json'), '--day', day]
  const file = await world.command<{ file: string }>('settlement', 'import', '--provider', code, ...how)
  note(scene, {
    kind: 'settlement',
    subject: `${code} ${turn}`,
    account: '',
    told: file === undefined ? 'unknown' : 'done',
    detail: file?.file ?? '',
  })
  if (file === undefined) return
  const list = await world.command<{ differences: Difference[] }>(
    'settlement',
    'differences',
    '--file',
    file.file,
  )
  const decided = (list?.differences ?? []).filter(
    ({ kind, theirs, ours }) => kind === 'state' && ours === 'pending' && theirs !== 'pending',
  )
  for (const { id } of decided.slice(0, 5)) {
    await scene.world.command('settlement', 'resolve', '--id', id, '--apply', '--reason', 'the file says so')
  }
}

const STEPS: readonly (readonly [weight: number, step: (scene: Scene, turn: number) => Promise<void>])[] = [
  [5, depositByCommand],
  [3, depositByApproval],
  [3, decide],
  [2, importSettlement],
  [3, decideVoids],
]
