import { describe, expect, it } from 'vitest'
import { createSlots } from './slots.ts'

const never = new AbortController().signal

describe('turns', () => {
  it('are at most so many at a time under one key, and others wait in the order of their arrival', async () => {
    const turns = createSlots()
    const begun: string[] = []
    const take = (name: string) => turns.take('a', 2, never).then(() => begun.push(name))
    await Promise.all([take('first'), take('second')])
    const third = take('third')
    const fourth = take('fourth')
    await turns.take('b', 1, never)
    expect(begun).toEqual(['first', 'second'])
    turns.giveBack('a')
    await third
    expect(begun).toEqual(['first', 'second', 'third'])
    turns.giveBack('a')
    await fourth
    expect(begun).toEqual(['first', 'second', 'third', 'fourth'])
  })

  it('a caller that gives up waiting leaves the line, and takes no turn from those behind', async () => {
    const turns = createSlots()
    await turns.take('a', 1, never)
    const impatient = new AbortController()
    const gaveUp = turns.take('a', 1, impatient.signal)
    const patient = turns.take('a', 1, never)
    impatient.abort()
    expect(await gaveUp).toBe(false)
    turns.giveBack('a')
    expect(await patient).toBe(true)
    expect(await turns.take('a', 5, impatient.signal)).toBe(false)
  })
})
