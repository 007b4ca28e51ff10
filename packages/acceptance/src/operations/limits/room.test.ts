import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { from, TRUST_TEST_PROXY } from '../../clients.ts'
import type { TestReseller } from '../../edge.ts'
import { BALANCE, balanceOf, createReseller, statusesIn } from '../../edge.ts'
import type { Service, TestDatabase } from '../../service.ts'
import { createDatabase, startService, stopServices, until } from '../../service.ts'

const MIB = 1_048_576
const ATTACKER = '198.51.100.1'
const NEIGHBOUR = '198.51.100.2'

let database: TestDatabase
let service: Service
let reseller: TestReseller
const sockets: Socket[] = []

beforeAll(async () => {
  database = await createDatabase()
  service = await startService({ database, environment: TRUST_TEST_PROXY })
  reseller = await createReseller(service)
})

afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await stopServices()
  await database?.drop()
})

/** Sends 6 MiB of a body of 10 MiB, and keeps what is answered meanwhile. */
function sendHalf(address: string): { answer: string } {
  const { hostname, port } = new URL(service.baseUrl)
  const socket = connect(Number(port), hostname)
  sockets.push(socket)
  const received = { answer: '' }
  socket.on('error', () => {})
  socket.on('data', (chunk) => {
    received.answer += chunk.toString('latin1')
  })
  const lines = [
    `POST /v2/topup HTTP/1.1`,
    'Host: x',
    `X-Forwarded-For: ${address}`,
    `X-Api-Key: ${reseller.apiKey}`,
    `Content-Length: ${10 * MIB}`,
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  socket.write(Buffer.alloc(6 * MIB, ' '))
  return received
}

it('bodies that one address never finishes keep nobody from paying, not even that address', async () => {
  const halves = Array.from({ length: 60 }, () => sendHalf(ATTACKER))
  await until('the address has no more room', async () =>
    halves.some(({ answer }) => statusesIn(answer).includes(503)),
  )
  const small = Buffer.alloc(150, ' ')
  for (let paid = 0; paid < 100; paid += 1) {
    const other = await balanceOf(service, reseller, { body: small, headers: from(NEIGHBOUR) })
    expect(other.status).toBe(200)
    const own = await balanceOf(service, reseller, { body: small, headers: from(ATTACKER) })
    expect(own.status).toBe(200)
  }
  const large = await balanceOf(service, reseller, {
    body: Buffer.alloc(10 * MIB, ' '),
    headers: from(NEIGHBOUR),
  })
  expect(large.status).toBe(200)
  expect(halves.some(({ answer }) => answer === '')).toBe(true)
  expect(halves.flatMap(({ answer }) => statusesIn(answer)).every((status) => status === 503)).toBe(true)
})

it('a caller that nobody knows holds nothing, however many bodies it begins', async () => {
  const { hostname, port } = new URL(service.baseUrl)
  const answers = await Promise.all(
    Array.from(
      { length: 40 },
      () =>
        new Promise<string>((resolve, reject) => {
          const socket = connect(Number(port), hostname)
          sockets.push(socket)
          socket.on('error', reject)
          socket.once('data', (chunk) => resolve(chunk.toString('latin1')))
          socket.write(
            `GET ${BALANCE} HTTP/1.1\r\nHost: x\r\nX-Api-Key: nobody\r\nContent-Length: ${10 * MIB}\r\n\r\n`,
          )
        }),
    ),
  )
  // The answer came before a byte of the body was sent.
  for (const answer of answers) expect(statusesIn(answer)).toEqual([401])
})
