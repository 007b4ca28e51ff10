// Stages of a payment in the service's own process, and the functions that belong to each. A sample of the CPU profile
// counts for the nearest function up its stack that has a stage.

/** Function on the stack, as V8's profiles name it. */
export type Frame = { functionName: string; url: string }

/** Parts of the measured CPU that are the service's own; all others are the database's. */
export const OF_NODE = new Set(['main threads', 'helper threads', 'first process'])

/** Stages in the order in which a payment meets them. */
export const NODE_STAGES = [
  'accept and parse',
  'identify',
  'read body',
  'judge',
  'queue',
  'encode',
  'decode',
  'answer',
  'log line',
  'metrics',
  'request log',
  'dispatch',
  'resolve',
  'sequencer',
  'chain',
  'other jobs',
  'garbage collection',
  'event loop',
  'unassigned',
]

/**
 * Work beside the answer. Its statements are encoded and decoded by the same driver: that part counts for the work, not
 * for `encode` and `decode`, which are the payments' own.
 */
const BACKGROUND = new Set([
  'request log',
  'resolve',
  'dispatch',
  'sequencer',
  'chain',
  'other jobs',
  'metrics',
  'log line',
])
const SHARED = new Set(['encode', 'decode'])

/**
 * Rules, the first that fits counts: the stage, the file (a part of its path below `dist`, a package after `~`, or a
 * module of Node) and, if only some functions of the file are meant, their names.
 */
export const RULES: [stage: string, files: RegExp, functions?: RegExp][] = [
  ['log line', /^http\/request-log|^logger|^~(sonic-boom|pino)/],
  ['metrics', /^~prom-client|metrics/],
  ['request log', /^modules\/portal\/developers\/request-log/],
  ['read body', /^http\/(body|intake\/(json-shape|body-budget))/],
  [
    'answer',
    /^http\/(respond|dialects|streams|wire\/whole-answer)|^modules\/payments\/payment\/(view|masking)|^lib\/dates/,
  ],
  ['answer', /^modules\/payments\/take\/routes/, /^render/],
  ['answer', /^http\/edge/, /^(end|finish|fail)$/],
  ['identify', /^modules\/(auth|accounts)\/|^lib\/(secrets|addresses|rates)/],
  ['accept and parse', /^http\/|^node:_http_(common|incoming|server)|^node:internal\/cluster|^cli\//],
  ['accept and parse', /^node:net$/, /^(onconnection|Socket|initSocketHandle)/],
  ['answer', /^node:_http_outgoing/],
  ['queue', /^db\/commits|^modules\/payments\/take\/intake\.service/],
  ['encode', /^db\/(arrays|calls)|^modules\/payments\/take\/intake\.sql|^~pg\/lib\/(utils|connection)/],
  ['encode', /^~pg-protocol\/dist\/(serializer|buffer-writer)|^~pg-pool|^db\//],
  ['decode', /^~pg-protocol|^~pg-types|^~pg\/lib\/(result|type-overrides)|^~postgres-/],
  ['decode', /^~pg\/lib\/(query|client)/, /handle/i],
  ['encode', /^~pg\/lib\/(query|client)/],
  ['resolve', /^modules\/payments\/outcomes|^modules\/payments\/payment\/states/],
  ['dispatch', /^modules\/payments\/fulfil|^outbound|^node:internal\/abort_controller/],
  ['judge', /^modules\/providers\/connections\/routing/],
  ['dispatch', /^modules\/providers/],
  ['judge', /^modules\/(payments\/(take|payment)|catalog\/(product|store)|network)|^lib\/(money|input)/],
  ['sequencer', /^modules\/events/],
  ['chain', /^modules\/wallet\/ledger/],
  ['other jobs', /^(modules|app|lib|runtime|embedded|demo)/],
]

/** Functions of V8 and Node that belong to nothing in particular, if nothing up their stack has a stage. */
const LOOP =
  /^(\(program\)|runMicrotasks|processTicksAndRejections|processTimers|listOnTimeout|processImmediate)$/

/** Returns the file of a frame as the rules name it. */
export function fileOf(url: string) {
  const at = url.lastIndexOf('node_modules/')
  if (at >= 0) return `~${url.slice(at + 'node_modules/'.length)}`
  const own = url.indexOf('/packages/server/dist/')
  return own < 0 ? url : url.slice(own + '/packages/server/dist/'.length)
}

const known = new Map<string, string | undefined>()

function ruleFor({ url, functionName }: Frame) {
  if (url === '') return undefined
  const key = `${url} ${functionName}`
  if (!known.has(key)) {
    const file = fileOf(url)
    const rule = RULES.find(([, files, names]) => files.test(file) && (names?.test(functionName) ?? true))
    known.set(key, rule?.[0])
  }
  return known.get(key)
}

/** Returns the stage of a stack of frames, the innermost first. */
export function stageOf(stack: Frame[]) {
  const [leaf] = stack
  if (leaf === undefined) return 'unassigned'
  if (leaf.functionName === '(garbage collector)') return 'garbage collection'
  let shared: string | undefined
  for (const frame of stack) {
    const stage = ruleFor(frame)
    if (stage === undefined) continue
    if (SHARED.has(stage)) shared ??= stage
    else if (shared === undefined || BACKGROUND.has(stage)) return stage
  }
  if (shared !== undefined) return shared
  return LOOP.test(leaf.functionName) ? 'event loop' : 'unassigned'
}

/** Stages of the statements that the service sends, by their summary. Calls of our functions need none. */
const STATEMENT_STAGES: [stage: string, statements: RegExp][] = [
  ['chain', /chain_heads|transfer_chain|transfers/],
  ['request log', /request_log|first_signed_calls/],
  ['dispatch', /payment_work|payment_open_attempts|provider/],
  ['deliveries', /deliver|lanes|fanouts/],
  ['transaction', /^(begin|commit|rollback)\b/],
]

export function stageOfStatement(summary: string) {
  return STATEMENT_STAGES.find(([, pattern]) => pattern.test(summary))?.[0] ?? 'other jobs'
}
