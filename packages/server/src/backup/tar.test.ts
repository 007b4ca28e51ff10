import { expect, it } from 'vitest'
import type { Entry } from './tar.ts'
import { readTar } from './tar.ts'

function header(path: string, bytes: number, type = '0'): Buffer {
  const block = Buffer.alloc(512)
  block.write(path, 0)
  block.write('0000600', 100)
  block.write(bytes.toString(8).padStart(11, '0'), 124)
  block.write('        ', 148)
  block.write(type, 156)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

function entry(path: string, content: string): Buffer {
  const body = Buffer.from(content)
  return Buffer.concat([header(path, body.length), body, Buffer.alloc((512 - (body.length % 512)) % 512)])
}

/** Passes bytes on in pieces of a size. */
async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(bytes: Buffer, size: number): Promise<Record<string, string>> {
  const files: Record<string, string> = {}
  let current = ''
  await readTar(inPieces(bytes, size), {
    async begin({ path, kind }: Entry) {
      current = path
      files[path] = kind === 'directory' ? '(directory)' : ''
    },
    async data(chunk) {
      files[current] += chunk.toString()
    },
    async end() {},
  })
  return files
}

const END = Buffer.alloc(1_024)

it.each([1, 7, 511, 512, 513, 100_000])('an archive is read alike in pieces of %d bytes', async (size) => {
  const archive = Buffer.concat([
    header('base', 0, '5'),
    entry('base/one', 'a'.repeat(1_300)),
    entry('base/empty', ''),
    entry('two', 'b'.repeat(512)),
    END,
  ])
  expect(await read(archive, size)).toEqual({
    base: '(directory)',
    'base/one': 'a'.repeat(1_300),
    'base/empty': '',
    two: 'b'.repeat(512),
  })
})

it('an archive that ends early, is damaged or leaves its directory is refused', async () => {
  const whole = entry('one', 'a'.repeat(2_000))
  await expect(read(whole.subarray(0, 1_500), 512)).rejects.toThrow('ends in the middle of one')
  const damaged = Buffer.from(whole)
  damaged[3] = 65
  await expect(read(damaged, 512)).rejects.toThrow('checksum')
  await expect(read(entry('../one', 'a'), 512)).rejects.toThrow('outside')
  await expect(read(Buffer.concat([header('link', 0, '2'), END]), 512)).rejects.toThrow('links')
})
