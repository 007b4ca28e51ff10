// Yardstick of deliveries in its own process: it posts the same body again and again with the bare client, a fixed
// number at a time, and does nothing else. It gets its orders as JSON in its argument.
import { Pool } from 'undici'

export type PostOrders = { url: string; body: string; requests: number; connections: number }

const { url, body, requests, connections } = JSON.parse(process.argv[2] ?? '') as PostOrders
const { origin, pathname } = new URL(url)
const pool = new Pool(origin, { connections, pipelining: 1 })
let next = 0

async function run() {
  while (next < requests) {
    next += 1
    const { statusCode, body: answer } = await pool.request({
      path: pathname,
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    await answer.dump()
    if (statusCode !== 204) throw new Error(`answered ${statusCode}`)
  }
}

await Promise.all(Array.from({ length: connections }, run))
await pool.close()
