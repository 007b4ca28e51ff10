const PARTS_MAX = 20

/**
 * Chooses the language that a caller prefers among those that are offered, by the weights of `Accept-Language`: `ms-MY`
 * is `ms`. undefined: the header is not there, or names none of them before English, which every text has.
 */
export function preferredLanguage<L extends string>(
  header: string | string[] | undefined,
  offered: readonly L[],
): L | undefined {
  const text = Array.isArray(header) ? header.join(',') : (header ?? '')
  if (text === '') return undefined
  let best: { readonly language: L | undefined; readonly weight: number } | undefined
  for (const part of text.toLowerCase().split(',', PARTS_MAX)) {
    const [range = '', ...parameters] = part.trim().split(';')
    const [primary] = range.trim().split('-')
    const language = offered.find((each) => each === primary)
    if (language === undefined && primary !== 'en') continue
    const weight = weightOf(parameters)
    if (weight > (best?.weight ?? 0)) best = { language, weight }
  }
  return best?.language
}

function weightOf(parameters: readonly string[]): number {
  const quality = parameters.find((each) => /^\s*q\s*=/.test(each))
  if (quality === undefined) return 1
  const [, weight] = /^\s*q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*$/.exec(quality) ?? []
  return Number(weight ?? 0)
}
