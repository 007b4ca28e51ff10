import { plainMover } from './plain.ts'
import type { MoveEnds, Mover } from './types.ts'

/** Every way; the first that fits is taken. The plain one, by logical replication, fits always and stands last. */
const MOVERS: readonly Mover[] = [plainMover]

export async function chooseMover(ends: MoveEnds): Promise<Mover> {
  for (const mover of MOVERS) if (await mover.fits(ends)) return mover
  return plainMover
}
