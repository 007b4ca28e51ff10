import type { Option } from '@warung/sdk'

/** Finds an option by its code, or by its amount where that names one option alone. */
export function findOption(options: readonly Option[], wanted: string): Option | undefined {
  const byCode = options.find(({ code }) => code === wanted)
  if (byCode !== undefined) return byCode
  const byAmount = options.filter(
    ({ denomination }) => denomination !== undefined && String(denomination) === wanted,
  )
  return byAmount.length === 1 ? byAmount[0] : undefined
}
