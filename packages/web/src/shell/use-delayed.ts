import { useEffect, useState } from 'react'

/** Returns a value once it has stayed the same for a moment, so that typing asks for the last text alone. */
export function useDelayed<T>(value: T, ms = 150): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(value), ms)
    return () => window.clearTimeout(timer)
  }, [value, ms])
  return settled
}
