import type { BookAnswer, BookOrder } from './types.ts'

/** Values of the placeholders of an answer. */
export type BookValues = Readonly<Record<'reference' | 'account' | 'code' | 'id' | 'now', string>>

const NUMBER = /"\{\{([^{}|"]+)\|number\}\}"/g
const PLACE = /\{\{(\w+)\}\}/g

/** Writes an answer's text: `"{{id|number}}"` becomes a number with these very digits. */
export function writeContent(content: Pick<BookAnswer, 'text' | 'isJson'>, values: BookValues): string {
  const { text, isJson } = content
  const find = (name: string) => (Object.hasOwn(values, name) ? values[name as keyof BookValues] : undefined)
  if (!isJson) return text.replace(PLACE, (place, name: string) => find(name) ?? place)
  return text
    .replace(NUMBER, (_, name: string) => find(name) ?? name)
    .replace(PLACE, (place, name: string) => {
      const value = find(name)
      return value === undefined ? place : JSON.stringify(value).slice(1, -1)
    })
}

/** Values of an order, at a time in milliseconds. */
export function valuesOf(
  order: Pick<BookOrder, 'reference' | 'account' | 'code' | 'id'> | undefined,
  nowMs: number,
): BookValues {
  const { reference = '', account = '', code = '', id = '' } = order ?? {}
  return { reference, account, code, id, now: new Date(nowMs).toISOString() }
}
