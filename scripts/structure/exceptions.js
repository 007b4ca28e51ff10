/**
 * The places where a rule does not hold, each with its reason. `rule` and `path` as the check prints them;
 * `about`, where given, is a word the message must contain. An exception that nothing needs any more is
 * itself a violation.
 *
 * @type {{ rule: string, path: string, about?: string, reason: string }[]}
 */
export const EXCEPTIONS = []
