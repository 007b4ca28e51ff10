import type { QueryKey } from '@tanstack/react-query'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useState } from 'react'
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
  const mutation = useMutation<Answer, unknown, Input>({
    mutationFn: options.act,
    onSuccess: (answer, input) => {
      for (const queryKey of options.refresh ?? []) void client.invalidateQueries({ queryKey })
      const text = options.done?.(answer, input)
      if (text !== undefined) say(text)
      options.onDone?.(answer, input)
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
