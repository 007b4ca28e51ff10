// Positions in the server's log (LSN), and the names of the files that hold them.

/** Position in the log, in bytes from its beginning. */
export type Position = bigint

/** Reads a position as the server writes it: 16/B374D848. */
export function parsePosition(text: string): Position {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  if (high === undefined || low === undefined) throw new Error(`"${text}" is no position in the log`)
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

/** Segment of the log: a file of a fixed size on one timeline. */
export type Segment = { readonly timeline: number; readonly number: bigint }

const IDS_BYTES = 0x1_0000_0000n

export const hex8 = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0')

/** Returns the name that the server gives the file of a segment. */
export function segmentName({ timeline, number }: Segment, segmentBytes: number): string {
  const perId = IDS_BYTES / BigInt(segmentBytes)
  return hex8(BigInt(timeline)) + hex8(number / perId) + hex8(number % perId)
}

/** Reads the name of a segment's file; undefined for other names. */
export function parseSegmentName(name: string, segmentBytes: number): Segment | undefined {
  const [, timeline, id, part] = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/.exec(name) ?? []
  if (timeline === undefined) return undefined
  const perId = IDS_BYTES / BigInt(segmentBytes)
  return { timeline: Number(`0x${timeline}`), number: BigInt(`0x${id}`) * perId + BigInt(`0x${part}`) }
}

/** Cuts what the server adds to the name of a segment: for the label of a copy, and for a timeline that ended. */
export function segmentPart(name: string): string {
  return name.slice(0, 24)
}

export function segmentAt(position: Position, segmentBytes: number): bigint {
  return position / BigInt(segmentBytes)
}

/** End of a timeline: the position from which its child goes on. */
export type Branch = { readonly timeline: number; readonly endsAt: Position }

/** Timeline of the log's end, and the timelines before it. */
export type Line = { readonly timeline: number; readonly branches: readonly Branch[] }

/** Reads a timeline's history: the timelines before it, oldest first, with their ends. */
export function parseHistory(text: string): Branch[] {
  return text.split('\n').flatMap((line) => {
    const [timeline, position] = line.trim().split(/\s+/)
    if (position === undefined || !(Number(timeline) > 0)) return []
    return [{ timeline: Number(timeline), endsAt: parsePosition(position) }]
  })
}
