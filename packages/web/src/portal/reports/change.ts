/** +12.5% or −3.0% of an amount against the one before; a dash where there was none, or it was below zero. */
export function changeOf(now: string, before: string): string {
  const was = Number(before)
  if (was <= 0) return '–'
  const change = ((Number(now) - was) / was) * 100
  const digits = Math.abs(change).toFixed(1)
  if (digits === '0.0') return '0.0%'
  return `${change < 0 ? '−' : '+'}${digits}%`
}
