import { expect, it } from 'vitest'
import { mailWords } from './rules.ts'
import { MAIL_LANGUAGES } from './types.ts'

/** Lists every text with its place; a text with values gets a mark for each. */
function textsOf(words: object, path = ''): [string, string][] {
  return Object.entries(words).flatMap(([name, text]: [string, unknown]): [string, string][] => {
    const place = `${path}${name}`
    if (typeof text === 'string') return [[place, text]]
    if (typeof text === 'function') return [[place, String(text(...MARKS))]]
    return textsOf(text as object, `${place}.`)
  })
}

const MARKS = [7001, 7002, 7003]
const marksIn = (text: string) => MARKS.filter((mark) => text.includes(String(mark)))
const isEmail = (place: string) =>
  !['token', 'forPrograms', 'error', 'other'].some((end) => place.endsWith(end))

it.each(MAIL_LANGUAGES.filter((each) => each !== 'en'))(
  'every text of the mails is there in %s, in other words, with the same values',
  (language) => {
    const english = textsOf(mailWords('en'))
    const others = new Map(textsOf(mailWords(language)))
    expect([...others.keys()]).toEqual(english.map(([place]) => place))
    for (const [place, text] of english) {
      const said = others.get(place) ?? ''
      expect(said.trim(), place).not.toBe('')
      expect(marksIn(said), place).toEqual(marksIn(text))
      if (isEmail(place)) expect(said, place).not.toBe(text)
    }
  },
)
