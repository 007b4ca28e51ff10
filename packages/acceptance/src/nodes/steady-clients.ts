import { Agent } from 'node:http'
import { BALANCE } from '../edge.ts'
import type { Answer } from '../http.ts'
import type { PayBody, Payer } from '../payments.ts'
import { reload } from '../payments.ts'

// Clients that pay and read without a pause while processes are restarted. Each has one connection, which it uses again
// and again, as a client with keep-alive does. It repeats a request in one case alone: 503 with Retry-After.

export type Load = {
  /** Bodies of the payments that were answered with 200. */
  readonly paid: readonly PayBody[]
  /** Descriptions of all that a correct client would notice. */
  readonly noticed: readonly string[]
  readonly requests: number
  /** Ends the load after the requests under way. */
  end(): Promise<void>
}

const CLIENTS = 4
const PAUSE_MS = 50

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

type Client = { readonly agent: Agent; hasConnection: boolean; isAskedToLeave: boolean }

/** Makes a client. A connection that ends although no answer asked its user to leave is noticed. */
function createClient(noticed: string[]): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const client: Client = { agent, hasConnection: false, isAskedToLeave: false }
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, callback) => {
    if (client.hasConnection && !client.isAskedToLeave) noticed.push('a connection ended unannounced')
    client.hasConnection = true
    client.isAskedToLeave = false
    return connect(options, callback)
  }
  return client
}

/** Starts the load. The payer sends to the address that stays the same while processes come and go. */
export function startLoad(payer: Payer): Load {
  const paid: PayBody[] = []
  const noticed: string[] = []
  let requests = 0
  let isEnding = false

  async function ask(client: Client, what: string, request: () => Promise<Answer>): Promise<void> {
    for (;;) {
      requests += 1
      const answer = await request()
      client.isAskedToLeave = answer.headers.connection === 'close'
      if (answer.status === 200) return
      if (answer.status !== 503 || answer.headers['retry-after'] === undefined) {
        throw new Error(`${what}: ${answer.status} ${answer.text}`)
      }
      await pause(PAUSE_MS)
    }
  }

  async function run(): Promise<void> {
    const client = createClient(noticed)
    const { agent } = client
    while (!isEnding) {
      const body = reload()
      try {
        await ask(client, 'a payment', () => payer.send(body, { agent }))
        paid.push(body)
        await pause(PAUSE_MS)
        await ask(client, 'a read', () => payer.send(undefined, { method: 'GET', path: BALANCE, agent }))
      } catch (error) {
        noticed.push(String(error))
        return
      }
      await pause(PAUSE_MS)
    }
    agent.destroy()
  }

  const running = Promise.all(Array.from({ length: CLIENTS }, run))
  return {
    paid,
    noticed,
    get requests() {
      return requests
    },
    async end() {
      isEnding = true
      await running
    },
  }
}
