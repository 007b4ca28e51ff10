import type { Checklist } from '../../api/portal.generated.ts'
import { defineMessages } from '../../text/language.ts'

type Code = Checklist['steps'][number]['code']

/** Page on which a step is done. */
export const STEP_PAGES: Readonly<Record<Code, string>> = {
  key_made: '/portal/developers/keys',
  first_signed_call: '/portal/developers/requests',
  callback_verified: '/portal/developers/webhooks',
  first_payment: '/portal/sell',
  second_factor: '/portal/account',
  low_balance_threshold: '/portal/team',
  allowlist: '/portal/developers/access',
  go_live: '/portal/developers',
}

export const CHECKLIST = defineMessages({
  en: {
    title: 'Getting started',
    count: (done: number, all: number) => `${done} of ${all}`,
    open: 'Set up',
    steps: {
      key_made: 'Make an API key',
      first_signed_call: 'Send a first signed request',
      callback_verified: 'Receive a callback',
      first_payment: 'Send a first payment',
      second_factor: 'Turn on your second factor',
      low_balance_threshold: 'Set a low-balance threshold',
      allowlist: 'Allow only your own addresses',
      go_live: 'Go live',
    },
    why: {
      key_made: 'programs sign their requests with it',
      first_signed_call: 'shows that your signature is right',
      callback_verified: 'your receiver answers 2xx to a signed push',
      first_payment: 'from Sell, or by the API',
      second_factor: 'protects payments if a password leaks',
      low_balance_threshold: 'tells you by mail before money runs out',
      allowlist: 'a stolen key is worth nothing elsewhere',
      go_live: 'an operator opens the account for real payments',
    },
  },
  ms: {
    title: 'Bermula',
    count: (done, all) => `${done} daripada ${all}`,
    open: 'Sediakan',
    steps: {
      key_made: 'Buat kunci API',
      first_signed_call: 'Hantar permintaan pertama yang ditandatangani',
      callback_verified: 'Terima panggilan balik',
      first_payment: 'Hantar bayaran pertama',
      second_factor: 'Hidupkan faktor kedua anda',
      low_balance_threshold: 'Tetapkan ambang baki rendah',
      allowlist: 'Benarkan alamat anda sahaja',
      go_live: 'Mula beroperasi',
    },
    why: {
      key_made: 'program menandatangani permintaan dengannya',
      first_signed_call: 'menunjukkan tandatangan anda betul',
      callback_verified: 'penerima anda menjawab 2xx kepada tolakan yang ditandatangani',
      first_payment: 'dari Jual, atau melalui API',
      second_factor: 'melindungi bayaran jika kata laluan bocor',
      low_balance_threshold: 'memaklumkan anda melalui e-mel sebelum wang habis',
      allowlist: 'kunci yang dicuri tidak berguna di tempat lain',
      go_live: 'pengendali membuka akaun untuk bayaran sebenar',
    },
  },
})
