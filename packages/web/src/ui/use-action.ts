import type { QueryKey } from '@tanstack/react-query'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
import { useLatest } from '../api/latest.ts'
import { createLock } from './lock.ts'
import { say } from './toast.tsx'

type ActionOptions<Input, Answer> = {
  readonly act: (input: Input) => Promise<Answer>
  /** Says what the change did; shown as a toast. */
  readonly done?: (answer: Answer, input: Input) => ReactNode
  /** Reads that the change made old. */
  readonly refresh?: readonly QueryKey[]
  readonly onDone?: (answer: Answer, input: Input) => void
}

/** A change by a button or a form: busy while it runs, once, with its error or what it did. */
export function useAction<Input = void, Answer = unknown>(options: ActionOptions<Input, Answer>) {
  const client = useQueryClient()
  // `isBusy` is known only once it is rendered; a double click or a held key comes before that.
  const [lock] = useState(createLock)
  // The library learns of new options a frame later: a form that is sent by the key after its last letter would lack it.
  const latest = useLatest(options)
  const mutation = useMutation<Answer, unknown, Input>({
    mutationFn: (input) => latest.current.act(input),
    onSuccess: (answer, input) => {
      const { refresh, done, onDone } = latest.current
      for (const queryKey of refresh ?? []) void client.invalidateQueries({ queryKey })
      const text = done?.(answer, input)
      if (text !== undefined) say(text)
      onDone?.(answer, input)
    },
    onSettled: () => lock.free(),
  })
  return {
    /** Sends the change; nothing happens while one is under way. */
    run: (input: Input) => {
      if (lock.take()) mutation.mutate(input)
    },
    isBusy: mutation.isPending,
    error: mutation.error,
    answer: mutation.data,
    /** Forgets the last run, also one under way: its answer is not waited for any more. */
    reset: () => {
      lock.free()
      mutation.reset()
    },
  }
}
