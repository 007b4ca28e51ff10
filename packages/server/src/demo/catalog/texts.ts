import type { Translation } from '../../modules/catalog/model/store.types.ts'
import type { CatalogLanguage } from '../../modules/catalog/texts/rules.ts'

type InOthers = Readonly<Record<CatalogLanguage, string>>

export const DIAL_PIN = 'Dial *128*PIN# and press the call key. The credit arrives within a minute.'
export const OPEN_LINK = 'Open the link, sign in to your store account and press Redeem.'

const TEXTS: readonly (readonly [string, InOthers])[] = [
  [
    DIAL_PIN,
    {
      ms: 'Dail *128*PIN# dan tekan kekunci panggilan. Kredit masuk dalam masa seminit.',
      id: 'Tekan *128*PIN# lalu tombol panggil. Pulsa masuk dalam satu menit.',
      zh: '拨打 *128*PIN# 并按通话键。话费将在一分钟内到账。',
      ta: '*128*PIN# ஐ டயல் செய்து அழைப்பு விசையை அழுத்தவும். ஒரு நிமிடத்தில் கிரெடிட் சேரும்.',
    },
  ],
  [
    OPEN_LINK,
    {
      ms: 'Buka pautan, log masuk ke akaun kedai anda dan tekan Tebus.',
      id: 'Buka tautan, masuk ke akun toko Anda, lalu tekan Tukarkan.',
      zh: '打开链接，登录您的商店账户，然后点击“兑换”。',
      ta: 'இணைப்பைத் திறந்து, உங்கள் கடைக் கணக்கில் உள்நுழைந்து, Redeem ஐ அழுத்தவும்.',
    },
  ],
]

/** Texts that the demo's operator says in other languages, beside those that catalogues of this trade share. */
export const DEMO_TEXTS: readonly Translation[] = TEXTS.flatMap(([text, others]) =>
  Object.entries(others).map(([language, said]) => ({ language: language as CatalogLanguage, text, said })),
)
