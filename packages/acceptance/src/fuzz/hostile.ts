import type { Random } from '../faults/random.ts'
import { RawJson } from './raw-json.ts'

// Values that programs tend to handle wrongly.

/** Mark that stands in hostile markup: a page that shows it unescaped is a finding. */
export const MARKUP_MARK = '<fuzz-mark'

const LONG = 70_000

export const HOSTILE_TEXTS: readonly string[] = [
  '',
  ' ',
  '\t\r\n',
  '\0',
  'a\0b',
  '\ud800',
  '\udfff\ud800',
  '\ufeff',
  '\ufffe\uffff',
  '\u202eevil\u202c',
  '\u200b\u200d\u2060',
  'é'.normalize('NFD'),
  'ﬀ',
  'İıſK',
  '🍜'.repeat(50),
  '👩‍👩‍👧‍👦',
  'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢',
  '１２３',
  '٣',
  "'; drop table payments; --",
  "' or '1'='1",
  "\\'; select pg_sleep(10); --",
  '$1',
  '%s%s%s%n',
  '%',
  '_%',
  '\\',
  '\\\\x00',
  '"',
  `${MARKUP_MARK}>`,
  `"><script>${MARKUP_MARK}()</script>`,
  `javascript:${MARKUP_MARK}`,
  '{{7*7}}',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the text itself is the input
  '${7*7}',
  '{{reference}}',
  '=1+1',
  "=cmd|' /C calc'!A0",
  '@SUM(1)',
  '../../../../etc/passwd',
  '..\\..\\windows\\win.ini',
  'file:///etc/passwd',
  'http://127.0.0.1:1/',
  'http://[::1]/',
  'http://169.254.169.254/latest/meta-data',
  'https://user:password@example.com/',
  'https://example.com:99999/',
  'gopher://127.0.0.1:6379/_',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'null',
  'undefined',
  'NaN',
  'true',
  '0',
  '-0',
  '-1',
  '00',
  '0x10',
  '1e3',
  '1e400',
  '1,000.00',
  '0.00001',
  '0.0000000000000000001',
  '99999999999999999999',
  '9223372036854775807',
  '9223372036854775808',
  '-9223372036854775809',
  '9007199254740993',
  'Infinity',
  '2026-02-30',
  '2026-13-01',
  '0000-00-00',
  '9999-12-31',
  '+275760-09-13',
  '2026-11-17T25:61:61Z',
  '(a+)+$',
  'a'.repeat(201),
  'a'.repeat(5_000),
  '(((((((((((((((((((((((((((((((((((((((((((((',
  '\r\nX-Injected: 1',
  '%0d%0aX-Injected:%201',
]

/** Names that are special in programs. */
export const HOSTILE_NAMES: readonly string[] = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  '',
  'a\0b',
  '$where',
  'a.b',
  'a/b',
  'a[0]',
  '0',
  'x'.repeat(300),
]

const NUMBERS: readonly string[] = [
  '-0',
  '0',
  '-1',
  '1e400',
  '-1e400',
  '1e-400',
  '1E+2',
  '0.1',
  '0.00001',
  '1.0000000000000000001',
  '2147483648',
  '4294967296',
  '9007199254740993',
  '9223372036854775808',
  '18446744073709551616',
  '1'.repeat(400),
  `0.${'0'.repeat(400)}1`,
]

export function hostileText(random: Random): string {
  return random.pick(HOSTILE_TEXTS)
}

export function hostileNumber(random: Random): RawJson {
  return new RawJson(random.pick(NUMBERS))
}

/** Returns a value of any type. */
export function anyValue(random: Random): unknown {
  return random.weighted<() => unknown>([
    [2, () => null],
    [1, () => random.chance(0.5)],
    [2, () => hostileNumber(random)],
    [4, () => hostileText(random)],
    [1, () => []],
    [1, () => ({})],
    [1, () => [hostileText(random), null, [[]]]],
    [1, () => ({ [random.pick(HOSTILE_NAMES)]: hostileText(random) })],
    [1, () => nested(random)],
    [0.5, () => 'x'.repeat(LONG)],
    [0.5, () => Array.from({ length: 1_500 }, (_, index) => index)],
  ])()
}

/** Returns lists or objects in each other, up to deeper than any stack likes. */
export function nested(random: Random): RawJson {
  const depth = random.pick([10, 40, 70, 1_000, 9_000])
  return random.chance(0.5)
    ? new RawJson('['.repeat(depth) + ']'.repeat(depth))
    : new RawJson(`${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`)
}
