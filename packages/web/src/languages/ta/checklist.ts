import type { PortalTexts } from '../dictionaries.ts'

export const CHECKLIST: PortalTexts['CHECKLIST'] = {
  title: 'தொடங்குதல்',
  count: (done, all) => `${all}-இல் ${done}`,
  open: 'அமை',
  steps: {
    key_made: 'API திறவுகோலை உருவாக்கு',
    first_signed_call: 'கையொப்பமிட்ட முதல் கோரிக்கையை அனுப்பு',
    callback_verified: 'Callback பெறு',
    first_payment: 'முதல் கட்டணத்தை அனுப்பு',
    second_factor: 'இரண்டாம் சரிபார்ப்பை இயக்கு',
    low_balance_threshold: 'குறைந்த இருப்பு எச்சரிக்கை அளவை அமை',
    allowlist: 'உங்கள் சொந்த முகவரிகளை மட்டும் அனுமதி',
    go_live: 'உண்மைச் சூழலுக்குச் செல்',
  },
  why: {
    key_made: 'நிரல்கள் கோரிக்கைகளை அதனால் கையொப்பமிடும்',
    first_signed_call: 'உங்கள் கையொப்பம் சரி எனக் காட்டும்',
    callback_verified: 'கையொப்பமிட்ட அனுப்புதலுக்குப் பெறுநர் 2xx பதிலளிக்கிறது',
    first_payment: 'விற்பனைப் பக்கத்திலிருந்து, அல்லது API மூலம்',
    second_factor: 'கடவுச்சொல் கசிந்தாலும் கட்டணங்களைக் காக்கும்',
    low_balance_threshold: 'பணம் தீரும் முன் மின்னஞ்சலில் தெரிவிக்கும்',
    allowlist: 'திருடிய திறவுகோல் வேறெங்கும் பயன்படாது',
    go_live: 'இயக்குநர் உண்மையான கட்டணங்களுக்குக் கணக்கைத் திறப்பார்',
  },
}
