// Receiver of deliveries in its own process. It answers 204, and never answers a path that begins with /hanging. It
// keeps the time and the event of every request; the process that started it reads them over the channel.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

let arrivals: [string, number][] = []
let body = ''

const server = createServer((request, response) => {
  const at = Date.now()
  const isHanging = request.url?.startsWith('/hanging')
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    if (isHanging) return
    body ||= text
    arrivals.push([String(request.headers['webhook-id'] ?? ''), at])
    response.writeHead(204).end()
  })
})

process.on('message', (question) => {
  if (question === 'count') tell(arrivals.length)
  else if (question === 'body') tell(body)
  else if (question === 'take') {
    tell(arrivals)
    arrivals = []
  }
})
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => tell(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))

function tell(answer: string | number | [string, number][]) {
  process.send?.(answer)
}
