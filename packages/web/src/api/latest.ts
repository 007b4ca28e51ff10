import type { RefObject } from 'react'
import { useRef } from 'react'

/**
 * Newest value of a component, for callbacks that outlive a rendering. It is set while the component is drawn: effects
 * come a frame later, and a key that follows another in the same frame would act on what stood there before.
 */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  latest.current = value
  return latest
}
