type Lock = {
  /** Returns true for the first caller; everybody after it is refused until the lock is free again. */
  take(): boolean
  free(): void
}

/** Makes a lock that holds at once: what a page shows lags behind a quick second click. */
export function createLock(): Lock {
  let isTaken = false
  return {
    take() {
      if (isTaken) return false
      isTaken = true
      return true
    },
    free() {
      isTaken = false
    },
  }
}
