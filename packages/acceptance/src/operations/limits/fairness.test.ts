import { Agent, get } from 'node:http'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Demo } from '../../catalog.ts'
import { startDemo } from '../../catalog.ts'
import { readMetric, signatureLines, statusesIn } from '../../edge.ts'
import { rawSocket } from '../../http.ts'
import type { Payer } from '../../payments.ts'
import { createPayer, reload } from '../../payments.ts'
import { until } from '../../service.ts'

// One address must not keep the others from being served, whatever it does with its connections.

const BILLERS = '/v1/billpay/billers'
const CONNECTIONS_MAX = 200
const PER_ADDRESS = 50
const STALL_SECONDS = 4
const PIPELINED_MAX = 256
const PROXY = '127.0.0.9'

let demo: Demo
let payer: Payer

beforeAll(async () => {
  demo = await startDemo({
    WARUNG_CONNECTIONS_MAX: String(CONNECTIONS_MAX),
    WARUNG_CONNECTIONS_PER_ADDRESS: String(PER_ADDRESS),
    WARUNG_WRITE_STALL_SECONDS: String(STALL_SECONDS),
    WARUNG_TRUST_PROXY: PROXY,
  })
  payer = await createPayer(demo.service, '1000')
})
afterAll(() => demo?.end())

/** Opens a connection. It may also be refused and closed. */
function open(localAddress: string): Promise<Socket> {
  const { hostname, port } = new URL(demo.service.baseUrl)
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress })
    socket.on('error', () => {})
    socket.once('connect', () => resolve(socket)).once('close', () => resolve(socket))
  })
}

function ask(agent: Agent, localAddress: string, path: string) {
  return new Promise<{ status: number; retryAfter: string | undefined }>((resolve, reject) => {
    const outgoing = get(new URL(path, demo.service.baseUrl), { agent, localAddress }, (incoming) => {
      incoming.resume()
      incoming.once('end', () =>
        resolve({ status: incoming.statusCode ?? 0, retryAfter: incoming.headers['retry-after'] }),
      )
    })
    outgoing.on('error', reject)
  })
}

describe('an address that opens connections and keeps them', () => {
  it('has no more than its share, and keeps nobody else out', async () => {
    const hoard = await Promise.all(Array.from({ length: 3 * PER_ADDRESS }, () => open('127.0.0.2')))
    try {
      for (const socket of hoard) socket.resume().write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
      await until('it is cut back to its share', async () => {
        return hoard.filter((socket) => !socket.destroyed).length <= PER_ADDRESS
      })
      for (let count = 0; count < 5; count += 1) await payer.pay(reload())
      expect(await readMetric(demo.service, 'warung_connections_open')).toBeLessThan(2 * PER_ADDRESS)
    } finally {
      for (const socket of hoard) socket.destroy()
    }
  })

  it('together with others like it keeps nobody out either: idle connections make room', async () => {
    const hoard: Socket[] = []
    try {
      for (let address = 20; address < 30; address += 1) {
        hoard.push(
          ...(await Promise.all(Array.from({ length: PER_ADDRESS - 5 }, () => open(`127.0.0.${address}`)))),
        )
      }
      for (let count = 0; count < 20; count += 1) await payer.pay(reload())
    } finally {
      for (const socket of hoard) socket.destroy()
    }
  })

  it('is not capped where it is a trusted proxy, whose connections are many clients’', async () => {
    const sockets = await Promise.all(Array.from({ length: 2 * PER_ADDRESS }, () => open(PROXY)))
    try {
      const answers = sockets.map(
        (socket) => new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data)))),
      )
      for (const socket of sockets) socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
      for (const answer of await Promise.all(answers)) expect(statusesIn(answer)).toEqual([200])
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })
})

describe('a client that asks for much', () => {
  const request = () => `GET ${BILLERS} HTTP/1.1\r\nHost: x\r\n${signatureLines(payer.credentials)}\r\n`

  it('a client that never reads is reset, and the memory of its answer is freed', async () => {
    const before = await readMetric(demo.service, 'warung_connections_stalled')
    const socket = await open('127.0.0.3')
    socket.pause()
    // The answers are more than the system's own buffers can hold.
    for (let count = 0; count < 12; count += 1) socket.write(request())
    await until('its connection is reset', async () => {
      return (await readMetric(demo.service, 'warung_connections_stalled')) === before + 1
    })
    await until('the log says why', async () =>
      demo.service.log().some(({ msg, err }) => {
        return msg === 'an answer was cut short' && (err as { code?: string }).code === 'reader_too_slow'
      }),
    )
    await until('nothing of it is left', async () => {
      return (await readMetric(demo.service, 'warung_connections_open')) === 0
    })
    socket.destroy()
  })

  it('a client that reads slowly gets the whole answer', async () => {
    const whole = await demo.first.get(BILLERS)
    const socket = await open('127.0.0.3')
    let [received, allowed] = [0, 0]
    socket.on('data', (chunk) => {
      received += chunk.length
      allowed -= chunk.length
      if (allowed <= 0) socket.pause()
    })
    const reading = setInterval(() => {
      allowed = whole.bytes.length / 2
      socket.resume()
    }, 500)
    try {
      for (let count = 0; count < 10; count += 1) socket.write(request())
      await until('all of it is there', async () => received > 10 * whole.bytes.length)
      expect(socket.destroyed).toBe(false)
    } finally {
      clearInterval(reading)
      socket.destroy()
    }
  })
})

describe('a flood of questions about health', () => {
  it('a flood from one address is refused, while payments and another address’s probes are answered', async () => {
    const agents = Array.from({ length: 20 }, () => new Agent({ keepAlive: true, maxSockets: 1 }))
    const probe = new Agent({ keepAlive: true, maxSockets: 1 })
    let isOver = false
    const seen = { answered: 0, refused: 0 }
    const flood = async (agent: Agent, index: number) => {
      while (!isOver) {
        const { status, retryAfter } = await ask(agent, '127.0.0.4', index % 2 === 0 ? '/healthz' : '/readyz')
        if (status === 429) expect(retryAfter).toBe('1')
        else expect(status).toBe(200)
        seen[status === 429 ? 'refused' : 'answered'] += 1
      }
    }
    try {
      const floods = agents.map(flood)
      await until('the flood is refused', async () => seen.refused > 100)
      for (let count = 0; count < 20; count += 1) {
        await payer.pay(reload())
        expect((await ask(probe, '127.0.0.5', '/readyz')).status).toBe(200)
      }
      isOver = true
      await Promise.all(floods)
      expect(seen.refused).toBeGreaterThan(seen.answered)
      await until('its address may ask again', async () => {
        return (await ask(probe, '127.0.0.4', '/healthz')).status === 200
      })
    } finally {
      isOver = true
      for (const agent of [...agents, probe]) agent.destroy()
    }
  })
})

describe('more requests on one connection than may wait', () => {
  it('are not taken: those before them are answered, and the connection ends', async () => {
    const body = JSON.stringify({ username: 'nobody', password: 'a password takes its time to be checked' })
    const slow = [
      'POST /v2/token HTTP/1.1',
      'Host: x',
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n')
    const others = 'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2 * PIPELINED_MAX)
    const raw = await rawSocket(demo.service.baseUrl, slow + others, { deadlineMs: 50_000 })
    expect(raw.endedBy).toBe('close')
    const statuses = statusesIn(raw.text)
    expect([statuses[0], new Set(statuses.slice(1))]).toEqual([401, new Set([404])])
    expect(statuses).toHaveLength(PIPELINED_MAX)
    expect(raw.text.match(/^connection: close/gim)).toHaveLength(1)
  })
})
