import type { RemoteInfo } from 'node:dgram'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv4 } from 'node:net'

// Name server on loopback that answers as a test wants.

/**
 * Answer to a question. `silent` never answers, `absent` says that there is no such name, `broken` that the server
 * failed.
 */
export type DnsReply =
  | 'silent'
  | 'absent'
  | 'broken'
  | {
      readonly addresses: readonly string[]
      readonly ttlS?: number
      readonly alias?: string
      readonly delayMs?: number
    }

export type DnsServer = {
  /** Address in the form that a resolver takes. */
  readonly address: string
  /** Sets the reply. `times`: how often this family of the name was asked for before. */
  set(name: string, reply: DnsReply | ((family: 4 | 6, times: number) => DnsReply)): void
  /** Counts the questions for a name, of either family. */
  asked(name: string): number
  close(): Promise<void>
}

const TYPES: Readonly<Record<number, 4 | 6>> = { 1: 4, 28: 6 }
const CODES = { absent: 3, broken: 2 } as const
const HEADER_BYTES = 12

export async function startDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const replies = new Map<string, (family: 4 | 6, times: number) => DnsReply>()
  const asked = new Map<string, number>()

  socket.on('message', (message, from) => {
    const { name, type, end } = readQuestion(message)
    const family = TYPES[type] ?? 4
    const key = `${name} ${family}`
    const times = asked.get(key) ?? 0
    asked.set(key, times + 1)
    const reply = replies.get(name)?.(family, times) ?? 'absent'
    if (reply === 'silent') return
    const question = message.subarray(0, end)
    if (typeof reply === 'string') send(answerOf(question, CODES[reply], []), from)
    else setTimeout(() => send(answerOf(question, 0, recordsOf(reply, family)), from), reply.delayMs ?? 0)
  })

  function send(bytes: Buffer, { port, address }: RemoteInfo): void {
    // A test may end and close the socket before a late answer is sent.
    try {
      socket.send(bytes, port, address)
    } catch {}
  }

  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    set: (name, reply) => void replies.set(name, typeof reply === 'function' ? reply : () => reply),
    asked: (name) => (asked.get(`${name} 4`) ?? 0) + (asked.get(`${name} 6`) ?? 0),
    async close() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = HEADER_BYTES
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length).toLowerCase())
    at += 1 + length
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 }
}

type DnsRecord = {
  readonly type: number
  readonly owner: Buffer
  readonly data: Buffer
  readonly ttlS: number
}

/** Pointer to the name in the question, used wherever the name is repeated. */
const SAME_NAME = Buffer.from([0xc0, HEADER_BYTES])

function recordsOf({ addresses, ttlS = 60, alias }: DnsReply & object, family: 4 | 6): DnsRecord[] {
  const owner = alias === undefined ? SAME_NAME : nameBytes(alias)
  const ofFamily = addresses.filter((each) => isIPv4(each) === (family === 4))
  const links = alias === undefined ? [] : [{ type: 5, owner: SAME_NAME, data: owner, ttlS }]
  return [
    ...links,
    ...ofFamily.map((each) => ({ type: family === 4 ? 1 : 28, owner, data: addressBytes(each), ttlS })),
  ]
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}

function addressBytes(address: string): Buffer {
  if (isIPv4(address)) return Buffer.from(address.split('.').map(Number))
  const [head = '', tail = ''] = address.split('::')
  const words = (text: string) => text.split(':').filter((word) => word !== '')
  const gap = Array.from({ length: 8 - words(head).length - words(tail).length }, () => '0')
  return Buffer.from(
    [...words(head), ...gap, ...words(tail)].map((word) => word.padStart(4, '0')).join(''),
    'hex',
  )
}

function answerOf(question: Buffer, code: number, records: readonly DnsRecord[]): Buffer {
  const head = Buffer.from(question)
  // Flags of an answer, with recursion.
  head.writeUInt16BE(0x8180 | code, 2)
  head.writeUInt16BE(records.length, 6)
  head.writeUInt32BE(0, 8)
  const bodies = records.map(({ type, owner, data, ttlS }) => {
    const fixed = Buffer.alloc(10)
    fixed.writeUInt16BE(type, 0)
    fixed.writeUInt16BE(1, 2)
    fixed.writeUInt32BE(ttlS, 4)
    fixed.writeUInt16BE(data.length, 8)
    return Buffer.concat([owner, fixed, data])
  })
  return Buffer.concat([head, ...bodies])
}
