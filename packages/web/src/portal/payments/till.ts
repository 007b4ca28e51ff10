// Choices of one till, kept on its device: they are about its printer and its counter.

export const RECEIPT_WIDTHS = ['58', '80', 'a4'] as const
export type ReceiptWidth = (typeof RECEIPT_WIDTHS)[number]

const WIDTH = 'warung.receipt.width'
const BY_ITSELF = 'warung.receipt.by-itself'
const PRINTED = 'warung.receipt.printed'
/** Receipts that a tab remembers to have printed. */
const PRINTED_MAX = 200

export function storedWidth(): ReceiptWidth {
  const stored = read(localStorage, WIDTH)
  return RECEIPT_WIDTHS.find((each) => each === stored) ?? '80'
}

export function storeWidth(width: ReceiptWidth): void {
  write(localStorage, WIDTH, width)
}

/** Tells whether this till prints each receipt when its sale has succeeded. */
export function printsByItself(): boolean {
  return read(localStorage, BY_ITSELF) === 'yes'
}

export function storeByItself(isOn: boolean): void {
  write(localStorage, BY_ITSELF, isOn ? 'yes' : '')
}

export function wasPrinted(paymentId: string): boolean {
  return printed().includes(paymentId)
}

export function notePrinted(paymentId: string): void {
  write(sessionStorage, PRINTED, [...printed().slice(1 - PRINTED_MAX), paymentId].join(' '))
}

function printed(): string[] {
  return (read(sessionStorage, PRINTED) ?? '').split(' ')
}

function read(storage: Storage, name: string): string | null {
  try {
    return storage.getItem(name)
  } catch {
    return null
  }
}

function write(storage: Storage, name: string, value: string): void {
  try {
    storage.setItem(name, value)
  } catch {
    // A browser that stores nothing asks again each time.
  }
}
