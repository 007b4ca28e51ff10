import { expect, it } from 'vitest'
import { openProgress } from './progress.ts'

it('a terminal shows a bar that fills, and the next output takes its line', () => {
  let drawn = ''
  const screen = { write: (text: string) => (drawn += text) }
  const progress = openProgress({ note: () => {} }, 2_000, screen)
  progress.rows(1_000)
  expect(drawn).toBe(`\r[${'#'.repeat(15)}${'.'.repeat(15)}] 1000 rows`)
  progress.rows(3_000)
  expect(drawn.endsWith(`[${'#'.repeat(30)}] 3000 rows`)).toBe(true)
  progress.step('done')
  expect(drawn.endsWith('\r\u001B[Kdone\n')).toBe(true)
})

it('short work is silent and long work writes lines when the output is no terminal', () => {
  const notes: string[] = []
  const progress = () => openProgress({ note: (text) => notes.push(text) }, 0, undefined)
  const short = progress()
  short.rows(1_000)
  short.step('done')
  expect(notes).toEqual([])
  const long = progress()
  for (let count = 1_000; count <= 6_000; count += 1_000) long.rows(count)
  long.step('done')
  expect(notes).toEqual(['read 5000 rows', 'done'])
})
