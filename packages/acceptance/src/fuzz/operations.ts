import type { Random } from '../faults/random.ts'
import { createRandom } from '../faults/random.ts'
import type { Answer } from '../http.ts'
import { exchange } from '../http.ts'
import type { Api } from '../recording.ts'
import type { Actor } from './actors.ts'
import type { FuzzCase, Kind } from './cases.ts'
import { encode, makeCase } from './cases.ts'
import type { Operation } from './documents.ts'
import { listOperations } from './documents.ts'
import { factsOf } from './facts.ts'
import { problemOf } from './judge.ts'
import type { Prepared } from './recipes/recipe.ts'
import { RECIPES } from './recipes.ts'
import type { Recorder } from './recorder.ts'
import { UNPREPARED } from './recorder.ts'
import type { Target } from './target.ts'

// Requests of one API, operation after operation, in rounds: a later round knows what earlier ones have made.

/** Returns true while there is time for another round. */
export type GoesOn = (round: number) => boolean

export async function fuzzApi(
  target: Target,
  api: Api,
  { seed, goesOn, recorder }: { seed: number; goesOn: GoesOn; recorder: Recorder },
): Promise<void> {
  const random = createRandom(seed).fork(api)
  const operations = listOperations(api).toSorted((a, b) => rankOf(a) - rankOf(b))
  for (const { id, successes } of operations) recorder.expect(api, id, successes)
  for (let round = 0; goesOn(round); round += 1) {
    for (const operation of operations) {
      const source = random.fork(`${operation.id} ${round}`)
      if (round === 0) await reachOperation(target, operation, source, recorder)
      else await tryOperation(target, operation, pickKind(random), source, recorder)
    }
  }
}

function pickKind(random: Random): Kind {
  return random.weighted<Kind>([
    [5, 'near'],
    [3, 'hostile'],
    [2, 'valid'],
  ])
}

/** Lists come first, because their rows are what later requests name; what removes something comes last. */
function rankOf({ method, path }: Operation): number {
  if (/\/(session|sessions|password)$/.test(path) && method !== 'GET') return 5
  if (method === 'DELETE') return 4
  const isNamed = path.includes('{')
  if (method === 'GET') return isNamed ? 2 : 0
  return isNamed ? 3 : 1
}

const ATTEMPTS_MAX = 4

/** Sends valid requests until one is served. */
async function reachOperation(
  target: Target,
  operation: Operation,
  random: Random,
  recorder: Recorder,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const status = await tryOperation(target, operation, 'valid', random.fork(`attempt ${attempt}`), recorder)
    if (status !== undefined && status < 300) return
  }
}

const PREPARED_SHARE = 0.25

/** Returns the status of the answer; undefined if there was none. */
async function tryOperation(
  target: Target,
  operation: Operation,
  kind: Kind,
  random: Random,
  recorder: Recorder,
): Promise<number | undefined> {
  const isPrepared = kind === 'valid' || random.chance(PREPARED_SHARE)
  const prepared = isPrepared ? await prepare(target, operation, recorder) : undefined
  const actor = prepared?.actor ?? (await target.actors.get(operation.api))
  const { victim, blocked, pools } = target
  const world = {
    actor,
    victim: victim.account,
    blocked,
    prepared,
    pool: pools[operation.api],
    members: pools.portal,
  }
  const facts = factsOf(world, random)
  const fuzzCase = makeCase(random, operation, kind, facts)
  return sendCase(target, operation, fuzzCase, { actor, random, recorder })
}

/** Makes the step before a request. Other requests may have made it impossible, and the request then goes without. */
async function prepare(
  target: Target,
  { api, id }: Operation,
  recorder: Recorder,
): Promise<Prepared | undefined> {
  try {
    return await RECIPES[id]?.(target)
  } catch (error) {
    const { message } = error as Error
    recorder.count(api, id, UNPREPARED)
    if (/OpenAPI document|^5\d\d/.test(message)) recorder.find({ problem: `before ${id}: ${message}` })
    return undefined
  }
}

export type Sending = { readonly actor: Actor; readonly random: Random; readonly recorder: Recorder }

/** Sends a request, judges its answer, and learns from it. Returns the status of the answer, if there was one. */
export async function sendCase(
  target: Target,
  operation: Operation,
  fuzzCase: FuzzCase,
  { actor, random, recorder }: Sending,
): Promise<number | undefined> {
  const { method, query, body } = fuzzCase
  const values = valuesOf(target, operation, fuzzCase, random)
  const route = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => values[name] ?? 'x')
  const path = query === '' ? route : `${route}?${query}`
  const proof = operation.isOpen ? forwarded(actor) : actor.prove({ method, query, body })
  const headers = [...proof.filter(([name]) => !names(fuzzCase).has(name.toLowerCase())), ...fuzzCase.headers]
  const answer = await ask(target, { method, path, headers, body })
  if (typeof answer === 'string') {
    recorder.count(operation.api, operation.id, answer)
    recorder.find({ fuzzCase, problem: answer })
    return undefined
  }
  recorder.count(operation.api, operation.id, answer.status)
  const problem = problemOf({ method, path }, answer)
  if (problem !== undefined) recorder.find({ fuzzCase, problem, answer: answer.text.slice(0, 500) })
  if (fuzzCase.kind !== 'hostile') learn(target, operation, values, answer)
  await renew(target, operation, fuzzCase, answer)
  return answer.status
}

function forwarded(actor: Actor): [string, string][] {
  return actor
    .prove({ method: 'GET', query: '', body: undefined })
    .filter(([name]) => name === 'X-Forwarded-For')
}

function names({ headers }: FuzzCase): Set<string> {
  return new Set(headers.map(([name]) => name.toLowerCase()))
}

function valuesOf(
  target: Target,
  operation: Operation,
  { path }: FuzzCase,
  random: Random,
): Record<string, string> {
  const known = target.pools[operation.api].pathFor(random, operation)
  return Object.fromEntries(
    Object.entries(path).map(([name, value]) => [name, value ?? encode(known[name] ?? '1')]),
  )
}

type Asked = {
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | undefined
}

/** Returns the answer, or why there is none. A connection that was kept open may close at any time, so it is tried twice. */
async function ask({ service, agent }: Target, asked: Asked): Promise<Answer | string> {
  const input = { baseUrl: service.baseUrl, ...asked }
  try {
    return await exchange({ ...input, agent })
  } catch {
    return exchange(input).catch((error: Error) => `no answer: ${error.message.slice(0, 100)}`)
  }
}

function learn(
  { pools }: Target,
  operation: Operation,
  values: Record<string, string>,
  answer: Answer,
): void {
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  if (answer.status >= 300 || !isJson || answer.headers['content-encoding'] !== undefined) return
  // A good answer is about a path that the service could decode.
  const decoded = Object.entries(values).map(([name, value]) => [name, decodeURIComponent(value)] as const)
  pools[operation.api].learn(operation, Object.fromEntries(decoded), answer.json())
}

const REFUSED = new Set([401, 403])
const SPENT = new Set([409, 429])

/** Goes on with another caller where this one is no longer let in. */
async function renew(
  { actors }: Target,
  operation: Operation,
  { kind }: FuzzCase,
  answer: Answer,
): Promise<void> {
  const { api, isOpen } = operation
  if (isOpen) return
  const isSpent = SPENT.has(answer.status) && (api === 'checkout' || answer.status === 429)
  if (isSpent && kind === 'valid') await actors.replace(api)
  else if (REFUSED.has(answer.status) || (isSpent && api === 'checkout') || endsSession(operation, answer)) {
    await actors.renew(api)
  }
}

function endsSession({ method, path }: Operation, { status }: Answer): boolean {
  return status < 300 && method !== 'GET' && /\/(session|sessions|password)(\/|$)/.test(path)
}
