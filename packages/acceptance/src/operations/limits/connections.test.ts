import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { TestReseller } from '../../edge.ts'
import {
  BALANCE,
  balanceOf,
  createReseller,
  isBalanceWaiting,
  readMetric,
  signatureLines,
  statusesIn,
} from '../../edge.ts'
import type { RawAnswer } from '../../http.ts'
import { rawSocket } from '../../http.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, newMasterKey, startService, stopServices, until } from '../../service.ts'

const TOKEN = '/v2/token'
const IDLE_CONNECTIONS = 2_000

let database: TestDatabase
let service: Service
/** Service that gives requests a second to arrive. It is expected to answer only with refusals. */
let hasty: Service
/** Service that leaves every request to Node's parser. */
let nodesOwn: Service
let reseller: TestReseller

beforeAll(async () => {
  database = await createDatabase()
  const masterKey = newMasterKey()
  service = await startService({ database, masterKey })
  hasty = await startService({ database, masterKey, environment: { WARUNG_REQUEST_TIMEOUT_SECONDS: '1' } })
  nodesOwn = await startService({ database, masterKey, environment: { WARUNG_WIRE: 'node' } })
  reseller = await createReseller(service)
})

afterAll(async () => {
  await stopServices()
  await database?.drop()
})

function open(localAddress = '127.0.0.1'): Promise<Socket> {
  const { hostname, port } = new URL(service.baseUrl)
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), localAddress }, () => resolve(socket))
    socket.on('error', reject)
  })
}

/** Yields `start`, and then a little more at intervals, while the other side listens. */
async function* drip(start: string, more: string): AsyncGenerator<string> {
  yield start
  for (let drops = 0; drops < 100; drops += 1) {
    await new Promise((resolve) => setTimeout(resolve, 100))
    yield more
  }
}

describe('empty lines', () => {
  const LINES = '\r\n'.repeat(32 * 1024)

  /** Sends empty lines without an end; resolves with everything that was answered until the connection was closed. */
  function flood(to: Service, first: string): Promise<string> {
    const { hostname, port } = new URL(to.baseUrl)
    return new Promise((resolve) => {
      const socket = connect({ host: hostname, port: Number(port) })
      let received = ''
      const write = () => {
        while (!socket.destroyed && socket.write(LINES));
      }
      socket.on('data', (bytes) => {
        received += bytes.toString('latin1')
      })
      socket.once('connect', () => {
        socket.write(first)
        write()
      })
      socket.on('drain', write).on('error', () => {})
      socket.once('close', () => resolve(received))
    })
  }

  const GET_HEALTH = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
  it.each([
    ['own', 'before the first request', ''],
    ['own', 'behind a request', GET_HEALTH],
    ['own', 'behind two requests that came at once', GET_HEALTH + GET_HEALTH],
    ['node', 'before the first request', ''],
    ['node', 'behind a request', GET_HEALTH],
  ])('close their connection, read by %s, %s', async (wire, _, first) => {
    const received = await flood(wire === 'own' ? service : nodesOwn, first)
    // A system may reset a connection that is closed with unread bytes, and then the answer is lost.
    for (const status of statusesIn(received)) expect([200, 400]).toContain(status)
    expect((await balanceOf(service, reseller)).status).toBe(200)
  })

  it.each(['own', 'node'])('one or two between requests are skipped, read by %s', async (wire) => {
    const last = 'GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'
    const { text } = await rawSocket(
      (wire === 'own' ? service : nodesOwn).baseUrl,
      `\r\n${GET_HEALTH}\r\n\r\n${last}`,
    )
    expect(statusesIn(text)).toEqual([200, 200])
  })
})

it('a body without a length that goes on behind its refusal is not read to its end', async () => {
  const { hostname, port } = new URL(service.baseUrl)
  const socket = connect({ host: hostname, port: Number(port) })
  const pieces = '1\r\na\r\n'.repeat(10_000)
  const write = () => {
    while (!socket.destroyed && socket.write(pieces));
  }
  socket.on('error', () => {}).on('data', () => {})
  socket.once('connect', () => {
    socket.write('POST /nowhere HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    write()
  })
  socket.on('drain', write)
  await new Promise((resolve) => socket.once('close', resolve))
  // Most of it lies in the buffers of the system.
  expect(socket.bytesWritten).toBeLessThan(16 * 1024 * 1024)
  expect((await balanceOf(service, reseller)).status).toBe(200)
})

describe('slow senders', () => {
  const HEAD = 'HTTP/1.1\r\nHost: x\r\n'

  function expectTooLate(raw: RawAnswer): void {
    expect(statusesIn(raw.text)).toEqual([408])
    expect(raw.text).toMatch(/^x-request-id: \S/im)
    expect(raw.text).toMatch(/^connection: close/im)
    expect(raw.text).toContain(JSON.stringify({ message: 'The request did not arrive in time.', errors: {} }))
    expect(raw.endedBy).toBe('close')
  }

  it.concurrent.each([
    ['the request line', 'GET /v2', 'x'],
    ['headers', `GET ${BALANCE} ${HEAD}X-Long: `, 'x'],
    ['header after header', `GET ${BALANCE} ${HEAD}`, 'X-A: b\r\n'],
    ['a body of known length', `POST ${TOKEN} ${HEAD}Content-Length: 1000\r\n\r\n`, ' '],
    ['a body in chunks', `POST ${TOKEN} ${HEAD}Transfer-Encoding: chunked\r\n\r\n`, '1\r\n \r\n'],
    ['a body with a GET', `GET ${BALANCE} ${HEAD}Content-Length: 1000\r\n\r\n`, ' '],
    ['a body that stops', `POST ${TOKEN} ${HEAD}Content-Length: 1000\r\n\r\n{`, ''],
    ['a body where anyone may ask', `GET /healthz ${HEAD}Content-Length: 1000\r\n\r\n`, ' '],
  ])('a slow sender of %s is told 408, once, and the connection ends', async (_, start, more) => {
    expectTooLate(await rawSocket(hasty.baseUrl, drip(start, more), { deadlineMs: 50_000 }))
  })

  it.concurrent('a slow sender of a body that is not needed gets its answer, and no other after it', async () => {
    const start = `POST /nowhere ${HEAD}Content-Length: 1000\r\n\r\n`
    const raw = await rawSocket(hasty.baseUrl, drip(start, ' '), { deadlineMs: 50_000 })
    expect(statusesIn(raw.text)).toEqual([404])
    expect(raw.endedBy).toBe('close')
  })

  it.concurrent('a client that sends nothing at all is disconnected without an answer', async () => {
    const raw = await rawSocket(hasty.baseUrl, '', { deadlineMs: 50_000 })
    expect(raw).toMatchObject({ text: '', endedBy: 'close' })
  })

  it('do not keep others waiting, nor use up their places', async () => {
    const slow = await Promise.all(Array.from({ length: 200 }, () => open()))
    try {
      for (const socket of slow) socket.write(`POST ${TOKEN} ${HEAD}Content-Length: 1000\r\n\r\n `)
      for (let round = 0; round < 10; round += 1) {
        expect((await balanceOf(service, reseller)).status).toBe(200)
      }
      expect(slow.filter((socket) => socket.destroyed || socket.readableEnded)).toEqual([])
    } finally {
      for (const socket of slow) socket.destroy()
    }
  })
})

describe(`${IDLE_CONNECTIONS} idle connections`, () => {
  /** Opens a connection, uses it once, and keeps it: an unused one would be closed after a second. */
  async function openKept(): Promise<Socket> {
    const socket = await open()
    await new Promise<void>((resolve) => {
      socket.once('data', () => resolve())
      socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n')
    })
    return socket
  }

  it('do not keep requests from being served', async () => {
    const sockets: Socket[] = []
    try {
      while (sockets.length < IDLE_CONNECTIONS) {
        sockets.push(...(await Promise.all(Array.from({ length: 200 }, openKept))))
      }
      const answers = await Promise.all(Array.from({ length: 50 }, () => balanceOf(service, reseller)))
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
      expect(sockets.filter((socket) => socket.destroyed || socket.readableEnded)).toEqual([])
    } finally {
      for (const socket of sockets) socket.destroy()
    }
  })
})

describe('callers who hang up', () => {
  const PIECES = [
    ['in the middle of the headers', `GET ${BALANCE} HTTP/1.1\r\nHo`],
    ['in the middle of a body', `POST ${TOKEN} HTTP/1.1\r\nHost: x\r\nContent-Length: 50\r\n\r\n{"user`],
    [
      'in the middle of a chunk',
      `POST ${TOKEN} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n{`,
    ],
    ['right after the request', 'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n'],
  ] as const

  it.each(PIECES)('%s, politely or not, disturb nobody', async (_, text) => {
    for (const leave of ['end', 'destroy', 'resetAndDestroy'] as const) {
      const callers = Array.from({ length: 50 }, async () => {
        const socket = await open()
        socket.on('error', () => {})
        await new Promise<void>((resolve) => socket.write(text, () => resolve()))
        socket[leave]()
        if (leave === 'end')
          await new Promise<void>((resolve) => socket.resume().once('close', () => resolve()))
      })
      await Promise.all(callers)
    }
    expect((await balanceOf(service, reseller)).status).toBe(200)
  })

  it('while the answer is being made are logged as gone, and not as served', async () => {
    const shop = await createReseller(service)
    await database.query('begin')
    try {
      await database.query('lock table wallets in access exclusive mode')
      const socket = await open()
      socket.write(`GET ${BALANCE} HTTP/1.1\r\nHost: x\r\n${signatureLines(shop)}\r\n`)
      await until('the request waits for the wallet', () => isBalanceWaiting(database))
      socket.destroy()
      const line = await until('the log has it', async () =>
        service.log().find((each) => each.hung_up === true && each.reseller === shop.account),
      )
      expect(line).toMatchObject({ hung_up: true, status: 499, route: BALANCE })
    } finally {
      await database.query('rollback')
    }
  })

  it('leave the counting of requests intact, which nodes share', async () => {
    // Regression: an address that could not be read stopped the sharing of all others.
    const counted = async () => {
      const { rows } = await database.query<{ requests: string }>(
        "select requests from address_counters where address = '127.0.0.1'",
      )
      return Number(rows[0]?.requests ?? 0)
    }
    const before = await counted()
    for (let calls = 0; calls < 5; calls += 1) await service.get('/nowhere')
    await until('the calls are counted', async () => (await counted()) >= before + 5)
    expect(service.log().filter(({ msg }) => String(msg).includes('could not be shared'))).toEqual([])
  })
})

describe('after all of this', () => {
  it('nothing is left open, nothing was a surprise', async () => {
    for (const node of [service, hasty]) {
      await until('the connections are closed', async () => {
        const handles = await readMetric(node, 'nodejs_active_handles_total')
        return handles < 100
      })
      expect(node.log().filter(({ status, msg }) => status === 500 || msg === 'unexpected error')).toEqual([])
    }
  })
})

it('a request behind another one, whose caller did not wait, ends and is logged', async () => {
  // The log has no path that does not exist, so the caller's address identifies its lines.
  const address = '127.0.0.77'
  const body = JSON.stringify({ username: 'nobody', password: 'a password takes its time to be checked' })
  const first = `POST ${TOKEN} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`
  const others = 'GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(20)
  const socket = await open(address)
  await new Promise<void>((resolve) => socket.write(`${first}\r\n\r\n${body}${others}`, () => resolve()))
  socket.destroy()
  await until('all of them are in the log', async () => {
    const lines = service.log().filter((each) => each.address === address && each.route !== TOKEN)
    return lines.length === 20
  })
})
