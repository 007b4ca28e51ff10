import { expect, it } from 'vitest'
import { STANDARD } from './standard/ms.generated.ts'
import { saying } from './standard/saying.generated.ts'
import { inWords } from './standard-texts.ts'

const inMalay = saying(STANDARD)

it('a standard text has its Malay one, and any other stays as it is', () => {
  expect(inMalay('Mobile number')).toBe('Nombor telefon bimbit')
  expect(inMalay('Enter an amount from RM 5 to RM 3000')).toBe('Masukkan amaun dari RM 5 hingga RM 3000')
  for (const own of ['Nova Prepaid', 'constructor', '']) expect(inMalay(own)).toBe(own)
})

it('a field is worded whole: label, placeholder and message', () => {
  const field = {
    id: 'ic',
    label: 'IC number',
    placeholder: 'Only where the biller asks for one',
    validation: { pattern: '^x$', message: 'Enter an e-mail address' },
  }
  expect(inWords(field, inMalay)).toEqual({
    id: 'ic',
    label: 'Nombor kad pengenalan',
    placeholder: 'Hanya jika diminta oleh pengebil',
    validation: { pattern: '^x$', message: 'Masukkan alamat e-mel' },
  })
})
