import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import type { Exchange } from '../exchange.ts'
import { respond } from '../respond.ts'
import { PIECE_BYTES } from './stream.ts'
import { TURN_BYTES, turnFor } from './turns.ts'

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
let server: Server | undefined
const clients: Socket[] = []

afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
  server?.closeAllConnections()
  server?.close()
})

it('room of one turn is given at once, and later pieces wait in the order of their arrival', async () => {
  await nextTurn()
  const order: string[] = []
  const take = (name: string) => {
    const turn = turnFor(TURN_BYTES)
    if (turn === undefined) order.push(`${name} at once`)
    else void turn.then(() => order.push(name))
  }
  take('first')
  take('second')
  take('third')
  expect(order).toEqual(['first at once'])
  await nextTurn()
  await nextTurn()
  await nextTurn()
  expect(order).toEqual(['first at once', 'second', 'third'])
  take('fourth')
  expect(order.at(-1)).toBe('fourth at once')
})

it('large answers to many readers who take nothing leave every turn of the event loop its end', async () => {
  const readers = 40
  const body = Buffer.alloc(4 * PIECE_BYTES, 'x')
  const exchanges: Exchange[] = []
  const opened = createServer((message, response) => {
    exchanges.push({ message, response, id: 'request' } satisfies Partial<Exchange> as unknown as Exchange)
  })
  server = opened
  opened.listen(0, '127.0.0.1')
  await once(opened, 'listening')
  for (let index = 0; index < readers; index += 1) {
    const client = connect({ host: '127.0.0.1', port: (opened.address() as AddressInfo).port })
    client.on('error', () => {})
    client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
    clients.push(client)
  }
  while (exchanges.length < readers) await nextTurn()

  const written = () => exchanges.reduce((sum, { message }) => sum + message.socket.bytesWritten, 0)
  let before = written()
  let most = 0
  for (const exchange of exchanges) respond(exchange, 200, undefined, body)
  for (let turn = 0; turn < 200; turn += 1) {
    await nextTurn()
    most = Math.max(most, written() - before)
    before = written()
  }
  const heads = readers * 1_024
  expect(most).toBeLessThanOrEqual(TURN_BYTES + PIECE_BYTES + heads)
  // Every reader has begun to get its answer.
  for (const { message } of exchanges) expect(message.socket.bytesWritten).toBeGreaterThan(PIECE_BYTES)
})
