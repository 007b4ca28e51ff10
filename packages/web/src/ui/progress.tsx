/** Progress of long work, from 0 to 1. */
export function Progress({ label, share }: { label: string; share: number }) {
  const percent = Math.round(Math.min(Math.max(share, 0), 1) * 100)
  return (
    <div
      className="prog"
      role="progressbar"
      aria-label={label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
    >
      <span style={{ width: `${percent}%` }} />
    </div>
  )
}
