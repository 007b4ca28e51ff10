import { send } from './http.ts'
import type { Launched } from './process.ts'
import { launch, WARUNGD } from './process.ts'
import { environmentOf, makeDirectory, until } from './service.ts'

/** Simulated provider in its own process; a service uses it with WARUNG_SIMULATOR_URL. */
export type Simulator = {
  url: string
  pid: number
  /** Lists a line for every order it took, in the order of arrival. */
  books(): Promise<BookLine[]>
  find(reference: string): Promise<BookLine | undefined>
  /** Adds a fault after those already set. The first fault that matches a request hits it. */
  fault(fault: Fault): Promise<void>
  /** Lists the faults that are left. */
  faults(): Promise<Fault[]>
  clearFaults(): Promise<void>
  /** Lists the callbacks that it sent, and the answers to them. */
  callbacks(): Promise<Delivery[]>
  submit(order: Order): Promise<{ status: number; body: unknown }>
  /** Kills the process, as a crash of its machine does. With books, a new one at the same port continues. */
  kill9(): Promise<void>
  /** Sends SIGTERM; resolves with the exit code. */
  stop(): Promise<number | null>
}

export type BookLine = {
  reference: string
  product: string
  account: string
  amount: string
  status: 'succeeded' | 'failed' | 'pending' | 'unknown'
  acted_at: string
  times_received: number
  voided_at: string | null
}

export type RequestFault =
  | 'slow'
  | 'hang'
  | 'hang_before'
  | 'error_before'
  | 'error_after'
  | 'garbage'
  | 'echo'
  | 'huge'
  | 'truncated'
  | 'trickle'
  | 'not_http'
  | 'drop_before'
  | 'drop_after'
  | 'reset_before'
  | 'reset_after'
  | 'duplicate_answer'
  | 'redirect'
  | 'unauthorized'
  | 'outage'

export type CallbackFault =
  | 'callback_missing'
  | 'callback_twice'
  | 'callback_early'
  | 'callback_contradicted'
  | 'callback_pending_after'
  | 'callback_wrong_amount'
  | 'callback_bad_signature'
  | 'callback_old'
  | 'callback_garbage'

export type Fault = {
  kind: 'none' | RequestFault | CallbackFault
  /**
   * Requests that the fault hits; by default submissions, everything for an outage, callbacks for faults of callbacks.
   */
  on?: 'submit' | 'query' | 'void' | 'bill' | 'options' | 'float' | 'token' | 'health' | 'callback' | 'all'
  /** Number of hits; by default until it is cleared. */
  count?: number
  matching_account?: string
  delay_ms?: number
  callback_url?: string
}

export type Delivery = { id: string; reference: string; url: string; status: number | null }

export type Order = { reference: string; product: string; account: string; amount: string }

export type SimulatorOptions = {
  /** File of the books; by default they are lost with the process. */
  books?: string
  /** Port; by default a free one. */
  port?: number
  /** Further options of the command. */
  args?: readonly string[]
}

/** Starts a program that speaks as a supplier, and prints where. */
async function startSpeaking(args: readonly string[]): Promise<{ started: Launched; url: string }> {
  const started = launch(environmentOf({}, await makeDirectory()), { args })
  return { started, url: await untilListening(started) }
}

/** Starts the supplier of a pack, from its book of answers; returns its address. `stopServices` ends it. */
export async function startAnswers(pack: string): Promise<string> {
  return (await startSpeaking([WARUNGD, 'provider', 'answers', '--pack', pack, '--port', '0', '--json'])).url
}

/** Starts a simulator. `stopServices` ends it, like everything that was launched. */
export async function startSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const args = [WARUNGD, 'simulator', '--json', '--port', String(options.port ?? 0)]
  if (options.books !== undefined) args.push('--books', options.books)
  args.push(...(options.args ?? []))
  const { started, url } = await startSpeaking(args)
  const books = () => readBooks(url)
  return {
    url,
    pid: started.pid,
    books,
    find: async (reference) => (await books()).find((line) => line.reference === reference),
    fault: async (fault) => void (await ask(url, 'POST', '/faults', fault)),
    faults: async () => (await ask<{ faults: Fault[] }>(url, 'GET', '/faults')).faults,
    callbacks: async () => (await ask<{ callbacks: Delivery[] }>(url, 'GET', '/callbacks')).callbacks,
    clearFaults: async () => void (await ask(url, 'DELETE', '/faults')),
    async submit(order) {
      const answer = await send({
        baseUrl: url,
        method: 'POST',
        path: '/orders',
        body: JSON.stringify(order),
      })
      return { status: answer.status, body: answer.json() }
    },
    async kill9() {
      started.signal('SIGKILL')
      await started.ended
    },
    async stop() {
      started.signal('SIGTERM')
      return (await started.ended).code
    },
  }
}

function untilListening(started: Launched): Promise<string> {
  return until('the simulator listens', async () => {
    if (started.hasEnded()) {
      await started.ended
      throw new Error(`the simulator ended:\n${started.output()}`)
    }
    return /"url":"(https?:[^"]+)"/.exec(started.output())?.[1]
  })
}

async function readBooks(url: string): Promise<BookLine[]> {
  const lines: BookLine[] = []
  for (let after: number | null = 0; after !== null; ) {
    const page: { orders: BookLine[]; next: number | null } = await ask(url, 'GET', `/orders?after=${after}`)
    lines.push(...page.orders)
    after = page.next
  }
  return lines
}

async function ask<T>(url: string, method: string, path: string, body?: unknown): Promise<T> {
  const answer = await send({
    baseUrl: url,
    method,
    path,
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
  return answer.json<T>()
}
