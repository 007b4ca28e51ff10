import { expect, it } from 'vitest'
import { open, serveTcp } from '../../../testing/outbound.ts'
import { createSampleClient } from './client.service.ts'

/** Starts a server that gives these answers, one after the other, to the requests of each connection. */
async function serveAnswers(...answers: readonly Buffer[]): Promise<string> {
  const port = await serveTcp((socket) => {
    let given = 0
    socket.on('data', () => {
      const body = answers[Math.min(given, answers.length - 1)] ?? Buffer.alloc(0)
      given += 1
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`)
      socket.write(body)
    })
  })
  return `http://127.0.0.1:${port}`
}

const send = (baseUrl: string, outbound = open()) => {
  const client = createSampleClient(outbound, { baseUrl, concurrencyMax: 1 }, 'key')
  return () => client.send('GET', '/orders/W1-1', AbortSignal.timeout(30_000))
}

it('an order does not get the answer that another order left on its connection', async () => {
  const ask = send(await serveAnswers(Buffer.from('{"result":"done"}'), Buffer.from('{"result":"stray"}')))
  for (let times = 0; times < 2; times += 1) {
    expect(await ask()).toMatchObject({ kind: 'answered', body: { result: 'done' } })
  }
})

it('an answer that is not UTF-8 is lost: a PIN could be among its bytes', async () => {
  const broken = Buffer.concat([Buffer.from('{"pin":"1'), Buffer.from([0xff]), Buffer.from('"}')])
  expect(await send(await serveAnswers(broken))()).toMatchObject({ kind: 'lost', wasSent: true })
})
