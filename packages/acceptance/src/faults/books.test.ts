import { describe, expect, it } from 'vitest'
import { checkBooks } from './books.ts'
import { ACCOUNT, soundBooks } from './sound-books.ts'
import { tellStory } from './story.ts'

describe('the comparison of the books', () => {
  it('finds nothing in books that agree', () => {
    expect(checkBooks(soundBooks())).toEqual([])
  })
})

describe('a story', () => {
  it('has the seed, both sides of every request, the faults around it and the rows of that payment alone', () => {
    const books = soundBooks()
    const story = tellStory(books, { check: 'answer-changed', text: 'why', account: ACCOUNT, refid: 'a' }, 42)
    expect(story).toContain('seed 42')
    expect(story).toContain('client → node 0: pay')
    expect(story).toContain('client ← node 0: 200, payment 1 is 20')
    expect(story).toContain('fault: kill node 0')
    expect(story).toContain('"reference":"W1-1"')
    expect(story).not.toContain('W2-1')
  })
})
