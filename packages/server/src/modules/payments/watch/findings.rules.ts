/** State of one subject of a kind of alert, as it was found now. */
export type Finding = {
  readonly subject: string
  readonly text: string
  /** `unclear`: between the threshold that opens an alert and the one that closes it. */
  readonly state: 'bad' | 'unclear' | 'well'
}

export type OpenAlert = { readonly subject: string; readonly text: string }

export type Changes = { readonly raised: readonly Finding[]; readonly cleared: readonly string[] }

/** Limit of new alerts of one kind in one turn: hundreds of resellers fall with one supplier. */
const NEW_MAX = 20

/**
 * Decides which alerts of one kind are raised, brought up to date and cleared. An open alert is raised again only with
 * another text, so that it is not counted up at every turn. `endsUnfound`: a subject that was not found is well.
 */
export function changesOf(
  findings: readonly Finding[],
  open: readonly OpenAlert[],
  endsUnfound: boolean,
): Changes {
  const texts = new Map(open.map(({ subject, text }) => [subject, text]))
  const found = new Set(findings.map(({ subject }) => subject))
  const fresh = findings.filter(({ subject, state }) => state === 'bad' && !texts.has(subject))
  const known = findings.filter(({ subject, state, text }) => {
    return state !== 'well' && texts.has(subject) && texts.get(subject) !== text
  })
  const over = findings.filter(({ subject, state }) => state === 'well' && texts.has(subject))
  const unfound = endsUnfound ? open.filter(({ subject }) => !found.has(subject)) : []
  return {
    raised: [...fresh.slice(0, NEW_MAX), ...known],
    cleared: [...over, ...unfound].map(({ subject }) => subject),
  }
}
