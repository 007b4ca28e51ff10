import { inject } from 'vitest'

/** Program that runs the service under test: this Node, or the one that WARUNG_TEST_RUNTIME names. */
export const RUNTIME = inject('runtime').program

export const IS_BUN = inject('runtime').isBun

/** True: the service under test and the tests run on the same Node, so that one process can have both. */
export const IS_OWN_RUNTIME = RUNTIME === process.execPath

/**
 * Arguments of Node with which the tests run `warungd`: most of these processes live for seconds. The memory that a
 * start fills is there from the beginning, so that Node does not tidy up while it loads, and only code that runs very
 * often is compiled a second time.
 */
const IN_NODE = ['--min-semi-space-size=16', '--initial-old-space-size=128']
/** Later releases of Node do not know this option, and end when they are given it. */
const IN_NODE_20 = ['--interrupt-budget=1000000']
const IS_NODE_20 = IS_OWN_RUNTIME && process.versions.node.startsWith('20.')

export function runtimeArgs(): readonly string[] {
  if (IS_BUN) return []
  return IS_NODE_20 ? [...IN_NODE, ...IN_NODE_20] : IN_NODE
}
