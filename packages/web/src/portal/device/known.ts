// Knowledge of the pages for the time without a connection: the last balance and the person's own recent numbers, with
// their time. It lies in the browser, so it holds nothing that can be spent, belongs to one person, and is a day old at
// most.

type Keeping = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

export type Person = { readonly account: string; readonly name: string; readonly role: string }

export type KnownNumber = {
  readonly product: string
  readonly number: string
  readonly amount: string
  readonly atMs: number
}

export type Known = {
  readonly person: Person
  /** Name of the shop. */
  readonly shop: string
  readonly seenAtMs: number
  readonly balance: { readonly amount: string; readonly currency: string; readonly atMs: number } | null
  readonly recents: readonly KnownNumber[]
}

const STORED_AS = 'warung.known'
const KNOWN_MS_MAX = 24 * 3_600_000
const RECENTS_MAX = 9

/** Returns what is known of the person who was here last; undefined: nothing, or only what is too old. */
export function knownOf(storage: Keeping, nowMs: number): Known | undefined {
  const known = read(storage)
  if (known === undefined) return undefined
  // A clock that was set back makes nothing younger.
  if (Math.abs(nowMs - known.seenAtMs) <= KNOWN_MS_MAX) return known
  storage.removeItem(STORED_AS)
  return undefined
}

/** Begins to remember for a person. Returns true when somebody else, or with another role, was here before. */
export function rememberPerson(storage: Keeping, person: Person, shop: string, nowMs: number): boolean {
  const before = read(storage)
  const isSame =
    before !== undefined &&
    before.person.account === person.account &&
    before.person.name === person.name &&
    before.person.role === person.role
  const known = isSame ? before : { balance: null, recents: [] }
  write(storage, { ...known, person, shop, seenAtMs: nowMs })
  return before !== undefined && !isSame
}

/** Remembers what was just read. */
export function remember(
  storage: Keeping,
  part: Partial<Pick<Known, 'balance' | 'recents'>>,
  nowMs: number,
): void {
  const known = read(storage)
  if (known === undefined) return
  const next = { ...known, ...part, seenAtMs: nowMs }
  write(storage, { ...next, recents: next.recents.slice(0, RECENTS_MAX) })
}

export function forgetKnown(storage: Keeping): void {
  storage.removeItem(STORED_AS)
}

function write(storage: Keeping, known: Known): void {
  try {
    storage.setItem(STORED_AS, JSON.stringify(known))
  } catch {
    // A browser whose storage is full knows nothing without a connection.
  }
}

function read(storage: Keeping): Known | undefined {
  try {
    const known: unknown = JSON.parse(storage.getItem(STORED_AS) ?? 'null')
    return isKnown(known) ? known : undefined
  } catch {
    // Text that this page did not write counts as nothing.
    return undefined
  }
}

function isKnown(value: unknown): value is Known {
  if (typeof value !== 'object' || value === null) return false
  const { person, recents, seenAtMs } = value as Partial<Known>
  return typeof person === 'object' && Array.isArray(recents) && typeof seenAtMs === 'number'
}

const NOTHING: Keeping = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }

/** Storage of this browser; one that keeps nothing where it is switched off. */
export function deviceStorage(): Keeping {
  try {
    return window.localStorage
  } catch {
    return NOTHING
  }
}
