/**
 * Typefaces of statements in the order of preference: each is a font of a package, with the ranges of Unicode that are
 * kept of it. DOTTED is the circle that a shaper draws under a mark without a letter; JOINERS choose forms.
 */
const DOTTED = '25cc'
const JOINERS = '200c-200d'
const DANDA = '964-965'

/**
 * Typefaces. `isShaped`: letters change their form and place with their neighbours. The others lose the rules for that,
 * and the glyphs that only these rules show.
 *
 * @type {{ name: string, package: string, file: string, ranges: string, isShaped: boolean }[]}
 */
export const TYPEFACES = [
  // Basic Latin is kept for letters with marks that have no code point of their own.
  noto(
    '',
    '0.4.2',
    `20-7e a1-ff 100-2ff 300-52f 1c80-1c8f 1d00-1dff 1e00-1fff 2010-2027 2030-205e 2070-209f 20a0-20cf 2100-218f 2c60-2c7f 2de0-2dff a640-a69f a720-a7ff ab30-ab6f fb00-fb06 fffd ${DOTTED} ${JOINERS}`,
  ),
  noto('Arabic', '0.4.3', `600-6ff 750-77f 870-8ff fb50-fdff fe70-fefc ${DOTTED} ${JOINERS}`),
  noto('Tamil', '0.4.3', `b80-bff ${DANDA} 11fc0-11fff ${DOTTED} ${JOINERS}`),
  noto('Devanagari', '0.4.1', `900-97f 1cd0-1cff a8e0-a8ff ${DOTTED} ${JOINERS}`),
  noto('Bengali', '0.4.4', `980-9ff ${DANDA} ${DOTTED} ${JOINERS}`),
  noto('Gurmukhi', '0.4.1', `a00-a7f ${DANDA} ${DOTTED} ${JOINERS}`),
  noto('Telugu', '0.4.2', `c00-c7f ${DANDA} ${DOTTED} ${JOINERS}`),
  noto('Malayalam', '0.4.2', `d00-d7f ${DANDA} ${DOTTED} ${JOINERS}`),
  noto('Thai', '0.4.2', `e00-e7f ${DOTTED} ${JOINERS}`),
  noto('Lao', '0.4.2', `e80-eff ${DOTTED} ${JOINERS}`),
  noto('Khmer', '0.4.3', `1780-17ff 19e0-19ff ${DOTTED} ${JOINERS}`),
  noto('Myanmar', '0.4.2', `1000-109f a9e0-a9ff aa60-aa7f ${DOTTED} ${JOINERS}`),
  noto('KR', '0.4.3', '3130-318f ac00-d7a3', false),
  // Arrows, signs and the box for a character that no typeface has. They are separate, because the next one is large.
  { ...noto('SC', '0.4.3', '2190-22ff 2460-27bf', false), name: 'noto-sans-symbols' },
  // Simplified and traditional characters, kana and bopomofo in one design.
  noto(
    'SC',
    '0.4.3',
    '2e80-2fdf 3000-312f 31a0-33ff 3400-4dbf 4e00-9fff fa0e-fa29 fe30-fe4f ff01-ffee',
    false,
  ),
]

function noto(script, version, ranges, isShaped = true) {
  const name = script === '' ? 'noto-sans' : `noto-sans-${script.toLowerCase()}`
  return {
    name,
    package: `@expo-google-fonts/${name}@${version}`,
    file: `400Regular/NotoSans${script}_400Regular.ttf`,
    ranges,
    isShaped,
  }
}
