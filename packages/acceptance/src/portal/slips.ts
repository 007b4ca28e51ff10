import { crc32, deflateSync } from 'node:zlib'

// Slips of bank transfers, as small as their formats allow.

export type TransferBody = {
  amount: string
  transferred_on: string
  bank_reference: string
  note?: string
  slip: string
}

/** Makes the report of a transfer with a picture as its slip. */
export function slipOf(reference: string, changes: Partial<TransferBody> = {}): TransferBody {
  return {
    amount: '250.00',
    transferred_on: new Date().toISOString().slice(0, 10),
    bank_reference: reference,
    note: 'From our account',
    slip: SLIPS.png.toString('base64'),
    ...changes,
  }
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

function png(): Buffer {
  const header = Buffer.from('00000001000000010802000000', 'hex')
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from([0, 255, 0, 0]))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function jpeg(): Buffer {
  return Buffer.concat([
    Buffer.from('ffd8', 'hex'),
    Buffer.from('ffe000104a46494600010100000100010000', 'hex'),
    Buffer.from('ffc0000b080001000101011100', 'hex'),
    Buffer.from('ffda0008010100003f00', 'hex'),
    Buffer.from('7fa0', 'hex'),
    Buffer.from('ffd9', 'hex'),
  ])
}

function webp(): Buffer {
  const data = Buffer.from('2f00000000070000fe03', 'hex')
  const head = Buffer.alloc(20)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(data.length + 12, 4)
  head.write('WEBPVP8L', 8, 'latin1')
  head.writeUInt32LE(data.length, 16)
  return Buffer.concat([head, data])
}

function pdf(): Buffer {
  const text = '%PDF-1.4\n1 0 obj<</Type/Catalog>>endobj\ntrailer<</Root 1 0 R>>\nstartxref\n9\n%%EOF\n'
  return Buffer.from(text, 'latin1')
}

export const SLIPS = { png: png(), jpeg: jpeg(), webp: webp(), pdf: pdf() } as const
