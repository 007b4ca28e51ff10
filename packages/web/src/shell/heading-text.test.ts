import { expect, it } from 'vitest'
import type { TextNode } from './heading-text.ts'
import { headingText } from './heading-text.ts'

type Part = string | TextNode

/** Stands in for an element of the document. */
function element(nodeName: string, parts: readonly Part[], isHidden = false): TextNode {
  const childNodes = parts.map((part) =>
    typeof part === 'string' ? { nodeName: '#text', nodeValue: part, childNodes: [] } : part,
  )
  return { nodeName, nodeValue: null, childNodes, getAttribute: () => (isHidden ? 'true' : null) }
}

const money = (...rest: readonly Part[]) => element('SPAN', [element('I', ['MYR']), '20.00', ...rest])
const span = (...parts: readonly Part[]) => element('SPAN', parts)

it.each<[string, readonly Part[]]>([
  ['Payments', ['Payments']],
  ['Developers: API keys', ['Developers', span(': ', 'API keys')]],
  ['MYR 20.00 Successful', [money(), span(element('svg', ['x']), 'Successful')]],
  ['MYR 20.005 Failed', [money(element('U', ['5'])), span('Failed')]],
  ['MYR 20.00', [money(element('EM', ['00'], true)), element('BUTTON', ['Copy'])]],
  ['Kedai Ali Suspended', ['\n Kedai  Ali ', span('Suspended')]],
])('the text of a heading reads %s', (text, parts) => {
  expect(headingText(element('H1', parts))).toBe(text)
})
