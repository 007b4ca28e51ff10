// Receiver of deliveries in its own process. It answers 204, and never answers a path that begins with /hanging. It
// keeps the time and the event of every request; the process that started it reads them over the channel.
import { createServer } from 'node:http'

let arrivals = []
let body = ''

const server = createServer((request, response) => {
  const at = Date.now()
  const isHanging = request.url.startsWith('/hanging')
  let text = ''
  request.on('data', (chunk) => {
    text += chunk
  })
  request.on('end', () => {
    if (isHanging) return
    body ||= text
    arrivals.push([request.headers['webhook-id'] ?? '', at])
    response.writeHead(204).end()
  })
})

process.on('message', (question) => {
  if (question === 'count') process.send(arrivals.length)
  else if (question === 'body') process.send(body)
  else if (question === 'take') {
    process.send(arrivals)
    arrivals = []
  }
})
process.on('disconnect', () => process.exit(0))
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}`))
