// Codes on bills. Nothing of them is trusted: they only fill in a form, which the service judges.

export type ScannedBill = {
  readonly kind: 'bill'
  /** Code of the biller; undefined: the code names it otherwise, or not at all. */
  readonly billerCode: string | undefined
  readonly billerName: string | undefined
  readonly account: string
  readonly ref2: string | undefined
  readonly amount: string | undefined
}

/** `text`: a code that says nothing but a number or a word, such as the bars of an account number. */
export type Scanned = ScannedBill | { readonly kind: 'text'; readonly text: string }

const LENGTH_MAX = 1_000
const PLAIN = /^[\p{L}\p{N} ./-]{4,40}$/u

/** Reads what a camera has read; undefined: it is nothing that is sold here. */
export function readCode(raw: string): Scanned | undefined {
  const text = raw.trim()
  if (text === '' || text.length > LENGTH_MAX) return undefined
  const bill = readMerchantQr(text) ?? readQuery(text) ?? readLabels(text) ?? readParts(text)
  if (bill !== undefined) return bill
  return PLAIN.test(text) ? { kind: 'text', text } : undefined
}

type Said = {
  readonly billerCode?: string | undefined
  readonly billerName?: string | undefined
  readonly account?: string | undefined
  readonly ref2?: string | undefined
  readonly amount?: string | undefined
}

/** A bill has a reference, and a biller that is named somehow. Parts that cannot be are left out. */
function billOf({ billerCode, billerName, account, ref2, amount }: Said): ScannedBill | undefined {
  const known = {
    kind: 'bill' as const,
    billerCode: matching(billerCode, /^[A-Za-z0-9_-]{2,20}$/),
    billerName: matching(billerName, /^.{2,60}$/),
    account: matching(account, /^[\p{L}\p{N} ./-]{3,40}$/u),
    ref2: matching(ref2, /^[\p{L}\p{N} ./-]{1,40}$/u),
    amount: amountOf(amount),
  }
  if (known.account === undefined) return undefined
  if (known.billerCode === undefined && known.billerName === undefined) return undefined
  return { ...known, account: known.account }
}

function matching(value: string | undefined, form: RegExp): string | undefined {
  const text = value?.trim() ?? ''
  return form.test(text) ? text : undefined
}

function amountOf(value: string | undefined): string | undefined {
  const text = value?.replace(/^\s*(?:RM|MYR)\s*/i, '').replace(/,(?=\d{3})/g, '')
  return matching(text, /^\d{1,7}(?:\.\d{1,2})?$/)
}

// ── An address with a query, as banks' apps write it ──

function readQuery(text: string): ScannedBill | undefined {
  const query = /^[a-z][a-z0-9+.-]*:[^?]*\?(.+)$/is.exec(text)?.[1]
  if (query === undefined) return undefined
  const said = new Map<string, string>()
  for (const [name, value] of new URLSearchParams(query)) {
    said.set(name.toLowerCase().replace(/[^a-z0-9]/g, ''), value)
  }
  const first = (...names: readonly string[]) =>
    names.map((name) => said.get(name)).find((each) => each !== undefined)
  return billOf({
    billerCode: first('billercode', 'biller'),
    billerName: first('billername'),
    account: first('ref1', 'reference1', 'account'),
    ref2: first('ref2', 'reference2'),
    amount: first('amount', 'amt'),
  })
}

// ── Labels, as they are printed beside the sign of JomPAY ──

const LABELS = {
  billerCode: /biller\s*code\s*[:=]?\s*([A-Za-z0-9]+)/i,
  account: /ref(?:erence)?\.?[\s-]*(?:no\.?)?\s*1\s*[:=]?\s*([^\n\r|;,]+)/i,
  ref2: /ref(?:erence)?\.?[\s-]*(?:no\.?)?\s*2\s*[:=]?\s*([^\n\r|;,]+)/i,
  amount: /(?:amount|amaun|jumlah|total)\s*[:=]?\s*((?:RM|MYR)?\s*[\d,]+(?:\.\d+)?)/i,
} as const

function readLabels(text: string): ScannedBill | undefined {
  const said = (label: RegExp) => label.exec(text)?.[1]
  const billerCode = said(LABELS.billerCode)
  if (billerCode === undefined) return undefined
  const { account, ref2, amount } = LABELS
  return billOf({ billerCode, account: said(account), ref2: said(ref2), amount: said(amount) })
}

// ── Biller code, reference and amount with a bar or a semicolon between them ──

function readParts(text: string): ScannedBill | undefined {
  const parts = /^(\d{4,6})[|;]([\p{L}\p{N}./-]{3,40})(?:[|;](\d{1,7}\.\d{2}))?$/u.exec(text)
  return parts === null ? undefined : billOf({ billerCode: parts[1], account: parts[2], amount: parts[3] })
}

// ── The QR of merchants (EMVCo), which DuitNow writes: tags of two digits, lengths of two digits, values ──

function readMerchantQr(text: string): ScannedBill | undefined {
  if (!/^000201/.test(text) || !hasChecksum(text)) return undefined
  const tags = readTags(text)
  const further = readTags(tags?.get('62') ?? '')
  return billOf({
    billerName: tags?.get('59'),
    account: further?.get('01') ?? further?.get('05'),
    amount: tags?.get('54'),
  })
}

function readTags(text: string): ReadonlyMap<string, string> | undefined {
  const tags = new Map<string, string>()
  for (let at = 0; at < text.length; ) {
    const head = /^(\d{2})(\d{2})/.exec(text.slice(at, at + 4))
    if (head === null) return undefined
    const [, tag = '', length = '0'] = head
    const end = at + 4 + Number(length)
    if (end > text.length) return undefined
    tags.set(tag, text.slice(at + 4, end))
    at = end
  }
  return tags
}

/** Tells whether the last tag, 63, is the CRC-16 (CCITT) of everything before its value. */
function hasChecksum(text: string): boolean {
  const told = /6304([0-9A-F]{4})$/i.exec(text)?.[1]
  if (told === undefined) return false
  let crc = 0xffff
  for (const byte of new TextEncoder().encode(text.slice(0, -4))) {
    crc ^= byte << 8
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 0x8000) === 0 ? crc << 1 : (crc << 1) ^ 0x1021
    crc &= 0xffff
  }
  return crc.toString(16).padStart(4, '0') === told.toLowerCase()
}
