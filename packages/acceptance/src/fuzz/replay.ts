import { createRandom } from '../faults/random.ts'
import type { FuzzCase } from './cases.ts'
import type { Input } from './corpus.ts'
import { findOperation } from './documents.ts'
import { tryFile } from './imports.ts'
import { sendCase } from './operations.ts'
import type { Recorder } from './recorder.ts'
import { trySocket } from './sockets.ts'
import { replayAnswers, replayCallback } from './suppliers-part.ts'
import type { Target } from './target.ts'

// Inputs of the corpus, sent again.

export async function replayCase(target: Target, fuzzCase: FuzzCase, recorder: Recorder): Promise<void> {
  const operation = findOperation(fuzzCase.operation)
  if (operation === undefined) throw new Error(`no document has ${fuzzCase.operation}`)
  const actor = await target.actors.get(operation.api)
  await sendCase(target, operation, fuzzCase, { actor, random: createRandom(1), recorder })
}

export function replayInput(target: Target, input: Input, recorder: Recorder): Promise<void> {
  switch (input.part) {
    case 'sockets':
      return trySocket(target, input, recorder)
    case 'imports':
      return tryFile(target, input, recorder)
    case 'callbacks':
      return replayCallback(target, input, recorder)
    case 'suppliers':
      return replayAnswers(target, input, recorder)
  }
}
