/**
 * Finds the text of a number that is a member of the outermost object of a JSON text; parsing hides that text.
 * undefined: the member is missing or is not a number. The text must be valid JSON. If a member occurs twice, the last
 * one counts, as with JSON.parse. One pass without recursion: the text may have megabytes.
 */
export function findNumberText(json: string, name: string): string | undefined {
  let depth = 0
  let found: string | undefined
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at]
    if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    else if (character === '"') {
      const start = at + 1
      at = endOfString(json, start)
      const isNamed = depth === 1 && at - start === name.length && json.startsWith(name, start)
      if (isNamed && isMember(json, at + 1)) found = numberAt(json, at + 1)
    }
  }
  return found
}

/** Returns the index of the quote that ends a string. */
function endOfString(json: string, from: number): number {
  let at = from
  while (at < json.length && json[at] !== '"') at += json[at] === '\\' ? 2 : 1
  return at
}

const COLON = /\s*:/y
const NUMBER = /\s*:\s*(-?\d[\d.eE+-]*)/y

/** Tells a name from a value: a colon follows a name. */
function isMember(json: string, at: number): boolean {
  COLON.lastIndex = at
  return COLON.test(json)
}

function numberAt(json: string, at: number): string | undefined {
  NUMBER.lastIndex = at
  return NUMBER.exec(json)?.[1]
}
