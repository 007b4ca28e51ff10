import type { Vault } from '../../../db/vault.ts'

// Secrets of a payment, sealed at rest. Each value is bound to its payment, so that a ciphertext copied to another row
// does not open there.

/** Seals the identity number under the refid, because the payment has no id yet. */
export function sealInput(
  vault: Vault,
  resellerId: bigint,
  refid: string,
  icNumber: string | null,
): Buffer | null {
  if (icNumber === null) return null
  return vault.seal(inputContext(resellerId, refid), Buffer.from(icNumber, 'utf8'))
}

export function openInput(
  vault: Vault,
  resellerId: bigint,
  refid: string,
  sealed: Buffer | null,
): string | null {
  return sealed === null ? null : vault.open(inputContext(resellerId, refid), sealed).toString('utf8')
}

type SecretOutput = { readonly pin: string; readonly voucherLink: string }

const NO_OUTPUT: SecretOutput = { pin: '', voucherLink: '' }

export function sealOutput(
  vault: Vault,
  resellerId: bigint,
  id: bigint,
  { pin, voucherLink }: SecretOutput,
): Buffer | null {
  if (pin === '' && voucherLink === '') return null
  return vault.seal(outputContext(resellerId, id), Buffer.from(JSON.stringify([pin, voucherLink]), 'utf8'))
}

export function openOutput(
  vault: Vault,
  resellerId: bigint,
  id: bigint,
  sealed: Buffer | null,
): SecretOutput {
  if (sealed === null) return NO_OUTPUT
  const [pin, voucherLink] = JSON.parse(
    vault.open(outputContext(resellerId, id), sealed).toString('utf8'),
  ) as [string, string]
  return { pin, voucherLink }
}

function inputContext(resellerId: bigint, refid: string): string {
  return `payment_input:${resellerId}:${refid}`
}

function outputContext(resellerId: bigint, id: bigint): string {
  return `payment_output:${resellerId}:${id}`
}
