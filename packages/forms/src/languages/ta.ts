import { saying } from '../standard/saying.generated.ts'
import { STANDARD } from '../standard/ta.generated.ts'
import type { FormTexts } from '../texts.ts'

/** Tamil of the texts of every form. */
export const FORM: FormTexts = {
  standard: saying(STANDARD),
  clear: 'தேடலை அழி',
  groups: 'குழுக்கள்',
  allGroups: 'அனைத்தும்',
  noProduct: 'இப்பெயரில் பொருள் இல்லை.',
  optional: 'விருப்பம்',
  choose: 'தட்டச்சு செய்து தேடவும்',
  foundOptions: (shown, total) => `${total}-இல் ${shown}. மேலும் தேடத் தட்டச்சு செய்யவும்.`,
  loading: 'ஏற்றுகிறது',
  noMatch: 'இப்பெயரில் எதுவும் இல்லை.',
  optionsFailed: 'தெரிவுகளை ஏற்ற முடியவில்லை.',
  fillFirst: (label) => `முதலில் நிரப்பவும்: ${label}`,
  noOptions: 'தெரிவு செய்ய எதுவும் இல்லை.',
  required: 'இதை நிரப்பவும்',
  chooseOne: 'ஒன்றைத் தெரிவு செய்யவும்',
  pattern: 'வடிவம் சரியில்லை',
  range: (from, to) => `${from} முதல் ${to} வரை ஒரு தொகையை உள்ளிடவும்`,
  atLeast: (from) => `குறைந்தது ${from} உள்ளிடவும்`,
  atMost: (to) => `அதிகபட்சம் ${to} உள்ளிடவும்`,
  rangeHint: (from, to) => `${from} முதல் ${to} வரை`,
  billExists: 'இந்தக் கட்டணச் சீட்டு உள்ளது',
  askingBill: 'கட்டண நிறுவனத்திடம் கேட்கிறது',
  priceLater: 'விலையைக் காணப் படிவத்தை நிரப்பவும்.',
  askingPrice: 'விலையைக் கேட்கிறது.',
  mend: (count, first) =>
    count === 1
      ? `ஒரு புலத்தைத் திருத்த வேண்டும்: ${first}`
      : `${count} புலங்களைத் திருத்த வேண்டும். முதலாவது: ${first}`,
}
