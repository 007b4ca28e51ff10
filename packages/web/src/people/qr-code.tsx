import { useMemo } from 'react'
import { qrMatrix } from './qr.ts'

/** Modules of light around the code, which readers need. */
const QUIET = 4

/** QR code as a drawing: black on white in both themes, because many readers know nothing else. */
export function QrCode({ value, label }: { value: string; label: string }) {
  const matrix = useMemo(() => qrMatrix(value), [value])
  const size = matrix.length + 2 * QUIET
  const path = matrix
    .flatMap((line, y) => line.map((isDark, x) => (isDark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}
