// Note of this browser that it is a shared till, so that the sign-in page asks for its people at once and other browsers
// ask for nothing. It opens nothing: the till's secret is in a cookie that no page can read.

const STORED_AS = 'warung.shared-till'
const USED_AS = 'warung.shared-till.used'

export function isMarkedTill(): boolean {
  return read(STORED_AS) !== null
}

export function markTill(isTill: boolean): void {
  try {
    if (isTill) localStorage.setItem(STORED_AS, '1')
    else localStorage.removeItem(STORED_AS)
  } catch {
    // Without the note people sign in with their passwords.
  }
}

/** Notes the use of the till for its other tabs: somebody who works in one of them keeps all open. */
export function noteUse(nowMs: number): void {
  try {
    localStorage.setItem(USED_AS, String(nowMs))
  } catch {
    // Each tab then counts for itself.
  }
}

/** Time of the last use in any tab; 0: not known. */
export function lastUseMs(): number {
  return Number(read(USED_AS) ?? 0)
}

function read(name: string): string | null {
  try {
    return localStorage.getItem(name)
  } catch {
    return null
  }
}
