// Positions in the server's log (LSN), and the names of the files that hold them.

/** Position in the log, in bytes from its beginning. */
export type Position = bigint

/** Reads a position as the server writes it: 16/B374D848. */
export function parsePosition(text: string): Position {
  const [, high, low] = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i.exec(text) ?? []
  if (high === undefined || low === undefined) throw new Error(`"${text}" is no position in the log`)
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`)
}

export function formatPosition(position: Position): string {
  const part = (value: bigint) => value.toString(16).toUpperCase()
  return `${part(position >> 32n)}/${part(position & 0xffff_ffffn)}`
}

/** Segment of the log: a file of a fixed size on one timeline. */
export type Segment = { readonly timeline: number; readonly number: bigint }

const NAME = /^([0-9A-F]{8})([0-9A-F]{8})([0-9A-F]{8})$/
const IDS_BYTES = 0x1_0000_0000n

const hex8 = (value: bigint) => value.toString(16).toUpperCase().padStart(8, '0')

/** Returns the name that the server gives the file of a segment. */
export function segmentName({ timeline, number }: Segment, segmentBytes: number): string {
  const perId = IDS_BYTES / BigInt(segmentBytes)
  return hex8(BigInt(timeline)) + hex8(number / perId) + hex8(number % perId)
}

/** Reads the name of a segment's file; undefined for other names. */
export function parseSegmentName(name: string, segmentBytes: number): Segment | undefined {
  const [, timeline, id, part] = NAME.exec(name) ?? []
  if (timeline === undefined) return undefined
  const perId = IDS_BYTES / BigInt(segmentBytes)
  return { timeline: Number(`0x${timeline}`), number: BigInt(`0x${id}`) * perId + BigInt(`0x${part}`) }
}

export function segmentAt(position: Position, segmentBytes: number): bigint {
  return position / BigInt(segmentBytes)
}

export function historyName(timeline: number): string {
  return `${hex8(BigInt(timeline))}.history`
}

/** Reads the timeline from the name of its history; undefined for other names. */
export function parseHistoryName(name: string): number | undefined {
  const [, timeline] = /^([0-9A-F]{8})\.history$/.exec(name) ?? []
  return timeline === undefined ? undefined : Number(`0x${timeline}`)
}

/** End of a timeline: the position from which its child goes on. */
export type Branch = { readonly timeline: number; readonly endsAt: Position }

/** Reads a timeline's history: the timelines before it, oldest first, with their ends. */
export function parseHistory(text: string): Branch[] {
  return text.split('\n').flatMap((line) => {
    const [timeline, position] = line.trim().split(/\s+/)
    if (position === undefined || !(Number(timeline) > 0)) return []
    return [{ timeline: Number(timeline), endsAt: parsePosition(position) }]
  })
}
