import { Zip, ZipDeflate } from 'fflate'

/** File of an archive. It is made when its turn comes, piece by piece. */
export type PackedFile = {
  readonly name: string
  readonly pieces: () => AsyncIterable<string | Uint8Array>
}

/**
 * Packs files one after the other, so that memory holds a piece. Files carry the given time, so that the same files are
 * the same archive.
 */
export async function* packZip(files: readonly PackedFile[], at: Date): AsyncGenerator<readonly Buffer[]> {
  const made: Buffer[] = []
  let problem: Error | null = null
  const zip = new Zip((error, data) => {
    problem ??= error
    made.push(Buffer.from(data))
  })
  const take = () => {
    if (problem !== null) throw problem
    return made.splice(0)
  }
  for (const { name, pieces } of files) {
    const file = new ZipDeflate(name, { level: 6 })
    file.mtime = at
    zip.add(file)
    for await (const piece of pieces()) {
      file.push(Buffer.from(piece))
      yield take()
    }
    file.push(new Uint8Array(), true)
    yield take()
  }
  zip.end()
  yield take()
}
