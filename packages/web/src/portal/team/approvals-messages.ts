import { defineMessages } from '../../text/language.ts'

export const ACCESS_REQUESTS = defineMessages({
  en: {
    title: 'Requests for access',
    about: 'Operators of the service ask, and you or another operator decide. Refuse what you do not know.',
    asked: (by: string, at: string) => `${by} asks · expires ${at}`,
    newUser: (name: string, email: string, role: string) =>
      `A new login ${name} with the address ${email}, as ${role}. It gets a mail to choose a password.`,
    user: (name: string, email: string, gets: string) => `${name} (${email}) ${gets}.`,
    address: (from: string, to: string) =>
      `The registered address of this account changes from ${from} to ${to}. It is the one that is warned of new logins.`,
    getsRole: (role: string) => `becomes ${role}`,
    letInAgain: 'may sign in again',
    and: ' and ',
    canSpend: 'An admin can spend the money of the wallet.',
    approve: 'Approve',
    refuse: 'Refuse',
    approveTitle: 'Approve this request?',
    refuseTitle: 'Refuse this request?',
    approveAbout: 'It happens at once. Ask the operator by telephone when you are not certain.',
    refuseAbout: 'Nothing of it happens. Tell the operator of the service when you do not know who asks.',
    approved: 'Approved. It is done.',
    refused: 'Refused. Nothing of it happened.',
    stopTitle: 'Stop access to your account',
    stopAbout:
      'You got a mail about somebody who is to get access. If you did not expect it, stop it here; you need no password.',
    stopAction: 'Stop it',
    outcomes: {
      refused: 'It is stopped. Nobody can approve this request any more.',
      undone:
        'It had been carried out, and is undone: the login is disabled, and its sessions and the API keys that it made have ended; a registered address is the former one again.',
      nothing: 'There was nothing to stop: it was refused before, or its time was over.',
    },
    call: 'Ask the operator of the service now who asked for it, and look at your members and API keys.',
  },
  ms: {
    title: 'Permintaan akses',
    about:
      'Pengendali perkhidmatan meminta, dan anda atau pengendali lain memutuskan. Tolak permintaan yang anda tidak kenali.',
    asked: (by, at) => `${by} meminta · tamat ${at}`,
    newUser: (name, email, role) =>
      `Log masuk baharu ${name} dengan alamat ${email}, sebagai ${role}. E-mel untuk memilih kata laluan akan dihantar.`,
    user: (name, email, gets) => `${name} (${email}) ${gets}.`,
    address: (from, to) =>
      `Alamat berdaftar akaun ini bertukar daripada ${from} kepada ${to}. Alamat inilah yang diberi amaran tentang log masuk baharu.`,
    getsRole: (role) => `menjadi ${role}`,
    letInAgain: 'boleh log masuk semula',
    and: ' dan ',
    canSpend: 'Pentadbir boleh membelanjakan wang dalam dompet.',
    approve: 'Luluskan',
    refuse: 'Tolak',
    approveTitle: 'Luluskan permintaan ini?',
    refuseTitle: 'Tolak permintaan ini?',
    approveAbout: 'Ia berlaku serta-merta. Tanya pengendali melalui telefon jika anda tidak pasti.',
    refuseAbout:
      'Tiada apa-apa berlaku. Beritahu pengendali perkhidmatan jika anda tidak kenal orang yang meminta.',
    approved: 'Diluluskan. Ia telah dilakukan.',
    refused: 'Ditolak. Tiada apa-apa berlaku.',
    stopTitle: 'Hentikan akses ke akaun anda',
    stopAbout:
      'Anda menerima e-mel tentang seseorang yang akan mendapat akses. Jika anda tidak menjangkakannya, hentikan di sini; kata laluan tidak diperlukan.',
    stopAction: 'Hentikan',
    outcomes: {
      refused: 'Ia telah dihentikan. Tiada sesiapa boleh meluluskan permintaan ini lagi.',
      undone:
        'Ia telah dilakukan, dan kini dibatalkan: log masuk itu dilumpuhkan, sesinya dan kunci API yang dibuatnya telah tamat; alamat berdaftar kembali kepada yang dahulu.',
      nothing: 'Tiada apa-apa untuk dihentikan: ia telah ditolak, atau tempohnya sudah tamat.',
    },
    call: 'Tanya pengendali perkhidmatan sekarang siapa yang memintanya, dan periksa ahli dan kunci API anda.',
  },
})
