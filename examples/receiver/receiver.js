// A receiver of callbacks and webhooks: verifies, keeps each event once, answers, and works afterwards.
import { createHash } from 'node:crypto'
import { linkSync, mkdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createInbox, InvalidWebhook, verifyWebhook } from '@warung/sdk'

const { PORT = '8081', WEBHOOK_SECRETS = '', RECEIVER_DATA = 'events' } = process.env
// Two secrets while a rotated one is in its grace period: WEBHOOK_SECRETS=whsec_new,whsec_old
const secrets = WEBHOOK_SECRETS.split(',').filter((secret) => secret !== '')
const BODY_BYTES_MAX = 1_048_576

if (secrets.length === 0) throw new Error('Set WEBHOOK_SECRETS to the secret that was shown.')
// Events hold PINs: nobody else reads them.
mkdirSync(RECEIVER_DATA, { recursive: true, mode: 0o700 })
const inbox = createInbox()

/** Keeps an event in a file of its own. Returns false if it was kept before. */
function keep(event) {
  const path = join(RECEIVER_DATA, `${createHash('sha256').update(event.id).digest('hex')}.json`)
  const draft = `${path}.${process.pid}.${Math.random()}`
  writeFileSync(draft, JSON.stringify(event), { flush: true, mode: 0o600 })
  try {
    // A link never replaces a file: of two equal deliveries one wins, and a crash leaves no half of an event.
    linkSync(draft, path)
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') throw error
    return false
  } finally {
    unlinkSync(draft)
  }
}

/**
 * Work of the shop, after the answer. A stale event is an older state of a payment or product, and is passed over. So is
 * a sample that somebody asked for: nothing happened.
 */
async function work(event) {
  const verdict = event.isTest ? 'sample' : await inbox.accept(event)
  console.log(`${verdict} ${event.stream} ${event.id} ${event.payload.refid ?? event.payload.type}`)
}

async function receive(request) {
  const chunks = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size > BODY_BYTES_MAX) return 503
    chunks.push(chunk)
  }
  const { method, url, headers } = request
  try {
    const event = await verifyWebhook({ method, url, headers, body: Buffer.concat(chunks) }, { secrets })
    if (keep(event)) setImmediate(() => void work(event))
    return 204
  } catch (error) {
    // Not 401: a 4xx is final, and with a secret that is out of date every event would be lost for good.
    if (error instanceof InvalidWebhook) return 503
    throw error
  }
}

const server = createServer(async (request, response) => {
  const status = await receive(request).catch((error) => {
    console.error(error)
    return 503
  })
  response.writeHead(status).end()
})

server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`receiving at http://127.0.0.1:${server.address().port}`)
})
