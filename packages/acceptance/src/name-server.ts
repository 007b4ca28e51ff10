import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** Name server on loopback. */
export type NameServer = {
  /** Address for WARUNG_DNS_SERVERS. */
  readonly address: string
  /** Counts the questions for names with this ending. */
  asked(ending: string): number
  close(): void
}

/** IPv4 address, `absent` for a name that does not exist, or `silent` for no answer. */
export type NameAnswer = string | 'absent' | 'silent'

const HEADER_BYTES = 12
const IPV4 = 1

/** Starts a name server. `times`: how often the address was asked for before. */
export async function startNameServer(
  answer: (name: string, times: number) => NameAnswer,
): Promise<NameServer> {
  const socket = createSocket('udp4')
  const asked = new Map<string, number>()
  socket.on('message', (message, { port, address }) => {
    const end = message.indexOf(0, HEADER_BYTES) + 5
    const name = readName(message)
    const isIpv4 = message.readUInt16BE(end - 4) === IPV4
    const times = asked.get(name) ?? 0
    if (isIpv4) asked.set(name, times + 1)
    const said = answer(name, isIpv4 ? times : Math.max(times - 1, 0))
    if (said !== 'silent') socket.send(answerOf(message.subarray(0, end), isIpv4, said), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked: (ending) =>
      [...asked].reduce((sum, [name, times]) => sum + (name.endsWith(ending) ? times : 0), 0),
    close: () => socket.close(),
  }
}

function readName(message: Buffer): string {
  const labels: string[] = []
  for (let at = HEADER_BYTES; message.readUInt8(at) > 0; at += 1 + message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + message.readUInt8(at)))
  }
  return labels.join('.').toLowerCase()
}

/** Makes the answer. The address has a lifetime of zero, so that it is asked for every time. */
function answerOf(question: Buffer, isIpv4: boolean, said: string): Buffer {
  const isFound = said !== 'absent' && isIpv4
  const head = Buffer.from(question)
  head.writeUInt16BE(said === 'absent' ? 0x8183 : 0x8180, 2)
  head.writeUInt16BE(isFound ? 1 : 0, 6)
  head.writeUInt32BE(0, 8)
  const record = [0xc0, HEADER_BYTES, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...said.split('.').map(Number)]
  return isFound ? Buffer.concat([head, Buffer.from(record)]) : head
}
