// Judges addresses only to warn before a change. The service judges them again, and its answer counts.

/** True when an address lies in a network, such as 203.0.113.24 in 203.0.113.0/24. Unreadable ones contain nothing. */
export function covers(network: string, address: string): boolean {
  const [base = '', length] = network.trim().split('/')
  const ours = bitsOf(base)
  const theirs = bitsOf(address.trim())
  if (ours === undefined || theirs === undefined || ours.length !== theirs.length) return false
  const bits = length === undefined ? ours.length : /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN
  if (!(bits >= 0 && bits <= ours.length)) return false
  return ours.slice(0, bits) === theirs.slice(0, bits)
}

function bitsOf(address: string): string | undefined {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1]
  return address.includes(':') && mapped === undefined ? bitsOfV6(address) : bitsOfV4(mapped ?? address)
}

function bitsOfV4(address: string): string | undefined {
  const parts = address.split('.')
  if (parts.length !== 4 || !parts.every((each) => /^\d{1,3}$/.test(each) && Number(each) <= 255))
    return undefined
  return parts.map((each) => Number(each).toString(2).padStart(8, '0')).join('')
}

function bitsOfV6(address: string): string | undefined {
  const [head = '', tail, ...more] = address.split('::')
  if (more.length > 0) return undefined
  const before = groupsOf(head)
  const after = groupsOf(tail ?? '')
  const missing = 8 - before.length - after.length
  if (tail === undefined ? missing !== 0 : missing < 1) return undefined
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...after]
  if (!groups.every((each) => /^[0-9a-f]{1,4}$/i.test(each))) return undefined
  return groups.map((each) => Number.parseInt(each, 16).toString(2).padStart(16, '0')).join('')
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':')
}
