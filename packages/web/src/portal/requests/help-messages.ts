import type { CanonicalComparison } from '../../api/portal.generated.ts'
import { defineMessages } from '../../text/language.ts'

type CheckHelp = { readonly text: string; readonly cause: string; readonly remedy: string }
type MistakeCode = NonNullable<CanonicalComparison['mistake']>['code']

/** Explanations that the service gives in English, in other languages. Words of the wire stay as they are. */
type Help = {
  /** Checks of a request by their codes. */
  readonly checks: Readonly<Record<string, CheckHelp>>
  /** Usual mistakes in the text that is signed. */
  readonly mistakes: Readonly<Record<MistakeCode, string>>
  /** Remedies of payments that were rejected, by their remarks. */
  readonly remedies: Readonly<Record<string, string>>
}

const SAID_BY_THE_SERVICE: Help = { checks: {}, mistakes: {} as Help['mistakes'], remedies: {} }

export const HELP = defineMessages({
  en: SAID_BY_THE_SERVICE,
  ms: {
    checks: {
      ip_blocked: {
        text: 'Alamat tidak disekat',
        cause: 'Alamat ini disekat untuk sementara.',
        remedy: 'Tunggu, atau tanya pengendali sebab ia disekat.',
      },
      unauthorized: {
        text: 'Kelayakan dihantar',
        cause: 'Tiada kelayakan langsung.',
        remedy: 'Hantar empat pengepala tandatangan. Proksi mungkin telah membuangnya.',
      },
      invalid_token: {
        text: 'Token sah',
        cause: 'Token yang tamat tempoh, dibatalkan, bukan milik kami, atau bukan token ID.',
        remedy: 'Perbaharui, atau log masuk semula; lebih baik, tandatangani permintaan anda.',
      },
      missing_api_key: {
        text: 'X-Api-Key mempunyai nilai',
        cause: '`X-Api-Key` ada, tetapi kosong.',
        remedy: 'Periksa sama ada kunci telah ditetapkan dalam program anda.',
      },
      invalid_api_key: {
        text: 'Kunci dikenali',
        cause: 'Kunci tidak dikenali, atau telah dibatalkan atau ditukar.',
        remedy: 'Bandingkan dengan papan pemuka. Kunci percubaan dan produksi adalah berbeza.',
      },
      hmac_not_configured: {
        text: 'Kunci mempunyai rahsia tandatangan',
        cause: 'Kunci tiada rahsia tandatangan.',
        remedy: 'Tukar kunci, atau buat yang baharu.',
      },
      missing_hmac_headers: {
        text: 'Timestamp, nonce dan tandatangan ada',
        cause: '`X-Timestamp`, `X-Nonce` atau `X-Signature` tiada.',
        remedy: 'Hantar semuanya dengan setiap permintaan.',
      },
      empty_hmac_values: {
        text: 'Tiada antara ketiga-tiganya kosong',
        cause: 'Salah satu daripada tiga ini kosong.',
        remedy: 'Hantar nilai dalam setiap satu.',
      },
      invalid_nonce_format: {
        text: 'Nonce berbentuk betul',
        cause:
          'Nonce kurang daripada 16 atau lebih daripada 128 aksara, atau ada aksara selain `a-z A-Z 0-9 - _`.',
        remedy:
          'Guna UUID, atau bait rawak dalam hex. Base64 biasa ada `+`, `/` dan `=`, yang tidak dibenarkan.',
      },
      invalid_timestamp_format: {
        text: 'Timestamp berbentuk betul',
        cause: '`X-Timestamp` bukan masa Unix dalam angka.',
        remedy: 'Hantar saat penuh: tanpa pecahan, tanpa tarikh.',
      },
      timestamp_expired: {
        text: 'Timestamp dalam 5 minit',
        cause: 'Masa itu berbeza lebih daripada 5 minit daripada masa pelayan.',
        remedy: 'Betulkan jam anda (NTP), dan hantar saat, bukan milisaat.',
      },
      invalid_signature_format: {
        text: 'Tandatangan berbentuk betul',
        cause: '`X-Signature` tidak bermula dengan `v1=`, atau selebihnya bukan Base64 bagi 32 bait.',
        remedy: 'Kodkan HMAC mentah dalam Base64 biasa dengan padding, bukan hex.',
      },
      invalid_signature: {
        text: 'Tandatangan sepadan dengan permintaan',
        cause: 'Tandatangan tidak sepadan dengan permintaan yang tiba.',
        remedy:
          'Nyahkod rahsia daripada Base64 sebelum digunakan; cincang tepat bait yang dihantar; tulis kaedah dengan huruf besar; susun query.',
      },
      ip_not_allowed: {
        text: 'Alamat dibenarkan',
        cause: 'Permintaan adalah tulen, tetapi alamatnya tiada dalam senarai dibenarkan akaun.',
        remedy: 'Tambah alamat di papan pemuka; mesej menamakannya.',
      },
      nonce_reused: {
        text: 'Nonce adalah baharu',
        cause: 'Nonce telah digunakan dengan kunci ini dalam 10 minit lalu.',
        remedy:
          'Buat yang baharu bagi setiap permintaan, termasuk cubaan semula. Jika sudah, sesuatu di pertengahan jalan ' +
          'menghantar permintaan dua kali, dan salinan pertama mungkin telah dilaksanakan: semak dahulu. Bagi pembayaran, ' +
          'hantar semula kandungan yang sama dengan refid yang sama.',
      },
      insufficient_scope: {
        text: 'Kelayakan boleh memanggil operasi ini',
        cause: 'Kunci atau pengguna tidak boleh memanggil operasi ini.',
        remedy: 'Guna kunci dengan skop yang dinamakan dalam mesej.',
      },
      api_key_required: {
        text: 'Bayaran dengan kelayakan jenis ini dibenarkan',
        cause:
          'Bayaran dengan token, pada akaun yang hanya menerima bayaran melalui permintaan bertandatangan.',
        remedy: 'Tandatangani permintaan.',
      },
    },
    mistakes: {
      signed_otherwise:
        'Teks betul. Maka rahsia atau tandatangan yang salah: nyahkod rahsia daripada Base64 dan guna baitnya sebagai kunci, guna rahsia kunci ini, dan hantar "v1=" dan Base64 bagi 32 bait HMAC.',
      nothing_given: 'Tiada apa-apa diberikan. Cetak teks sejurus sebelum ditandatangani, dan tampalkannya.',
      byte_order_mark: 'Teks bermula dengan byte order mark. Bina dalam ingatan sebagai UTF-8 tanpanya.',
      trailing_newline: 'Teks berakhir dengan baris baharu. Tiada apa-apa selepas cincangan badan.',
      surrounding_space: 'Ada ruang di sekeliling teks. Sepatutnya tiada.',
      quoted: 'Teks berada dalam tanda petikan. Tandatangani tanpanya.',
      newline_separators: 'Bahagian dipisahkan dengan baris baharu. Pisahkan dengan titik bertindih.',
      other_separator:
        'Bahagian tidak dipisahkan dengan titik bertindih. Tulis satu titik bertindih antara dua bahagian.',
      parts_in_other_order:
        'Bahagian dalam urutan lain. Urutannya v1, timestamp, nonce, METHOD, query, cincangan badan.',
      parts_missing:
        'Teks tidak mempunyai enam bahagian v1, timestamp, nonce, METHOD, query dan cincangan badan.',
      version_missing: 'Teks tidak bermula dengan "v1:". Versi ialah bahagian pertamanya.',
      version_spelling: 'Versi ialah "v1", dengan huruf kecil dan tanpa ruang.',
      empty_query_left_out:
        'Query kosong ditinggalkan bersama titik bertindihnya. Tanpa parameter bahagian itu kosong: METHOD::bodyHash.',
      timestamp_in_milliseconds:
        'Timestamp bukan dalam saat. Bahagikan milisaat dengan 1,000 dan buang bakinya.',
      timestamp_with_fraction: 'Timestamp ada pecahan. Hantar dan tandatangani saat penuh.',
      timestamp_as_date: 'Timestamp ialah tarikh. Ia masa Unix dalam saat penuh, angka sahaja.',
      timestamp_of_another_moment:
        'Timestamp berbeza daripada yang dihantar. Ambil sekali, dan guna untuk pengepala dan teks.',
      nonce_case: 'Ejaan nonce berbeza daripada dalam pengepala. Guna teks yang sama di kedua-duanya.',
      nonce_of_another_call: 'Nonce berbeza daripada yang dihantar. Buat sekali, untuk pengepala dan teks.',
      method_in_lower_case: 'Kaedah bukan huruf besar. Tulis GET, POST, PUT, PATCH atau DELETE.',
      other_method: 'Kaedah berbeza daripada permintaan. Ubah hala atau pustaka mungkin mengubahnya.',
      query_missing: 'Query tiada. Semua selepas tanda soal termasuk dalam teks, disusun ikut nama.',
      query_with_question_mark: 'Query bermula dengan tanda soal. Tinggalkan tanda soal itu.',
      path_included: 'Laluan ada dalam teks. Hanya query termasuk di situ, tanpa laluan.',
      host_included: 'Alamat ada dalam teks. Hanya query termasuk di situ, tanpa skema, hos dan laluan.',
      query_with_fragment: 'Query mengandungi "#". Bahagian selepasnya tidak dihantar; tinggalkannya.',
      query_not_sorted: 'Parameter tidak disusun. Susun ikut nama, mengikut titik kod.',
      query_with_loose_ends:
        'Query berakhir dengan "&". Gabungkan parameter dengan "&", dan tamat pada yang terakhir.',
      query_empty_values: 'Parameter tanpa nilai ada dalam teks. Tinggalkannya, di situ dan dalam alamat.',
      query_hex_case: 'Kod peratus dalam huruf kecil. Guna query seperti yang dihantar: %3A dan bukan %3a.',
      query_encoded_otherwise:
        'Nilai dikodkan dengan cara lain daripada yang dihantar. Ambil query daripada alamat siap.',
      query_encoded_twice: 'Nilai dikodkan dua kali (%25 ialah tanda peratus). Kodkan setiap nilai sekali.',
      query_other_values:
        'Satu parameter mempunyai nilai lain daripada yang dihantar. Ambil query daripada alamat siap.',
      query_other_parameters: 'Parameter berbeza daripada yang dihantar. Ambil query daripada alamat siap.',
      body_hash_missing: 'Cincangan badan tiada. Tanpa badan ia cincangan teks kosong, bukan kosong.',
      body_hash_in_hex: 'Cincangan badan dalam heksadesimal. Tulis 32 baitnya dalam Base64.',
      body_hash_in_capital_hex:
        'Cincangan badan dalam heksadesimal huruf besar. Tulis 32 baitnya dalam Base64.',
      body_hash_without_padding: 'Cincangan badan tiada "=" di hujung. Tulis Base64 biasa dengan padding.',
      body_hash_url_safe: 'Cincangan badan dalam Base64 URL-safe. Tulis Base64 biasa, dengan + dan / dan =.',
      body_hash_of_hex: 'Bentuk heksadesimal cincangan ditulis dalam Base64. Kodkan 32 bait itu sendiri.',
      body_hash_of_nothing:
        'Ini cincangan badan kosong, sedangkan badan dihantar. Cincang bait yang dihantar.',
      body_hash_of_empty_value:
        'Nilai seperti {} dicincang, sedangkan tiada badan dihantar. Jangan cincang apa-apa bait apabila tiada yang dihantar.',
      body_hash_other_algorithm:
        'Panjangnya daripada algoritma lain. Cincangan badan ialah SHA-256 dalam Base64.',
      body_instead_of_hash: 'Badan itu sendiri ada dalam teks. Tulis Base64 bagi SHA-256nya.',
      body_not_received:
        'Badan yang tidak tiba telah dicincang. GET dan DELETE tidak menghantar badan; periksa apa yang dihantar klien anda.',
      body_hash_of_other_bytes:
        'Cincangan daripada bait lain daripada yang tiba. Biasanya JSON disirikan sekali untuk cincangan dan sekali lagi untuk dihantar, dengan ruang, urutan atau escape lain: buat teks sekali, cincang baitnya, dan hantar bait itu.',
    },
    remedies: {
      Account_Suspended: 'Tanya pengendali. Jangan hantar semula sebelum itu.',
      Insufficient_Balance: 'Buat deposit, kemudian hantar badan yang sama sekali lagi.',
      Invalid_Format: 'Betulkan medan yang dinamakan oleh `errors`.',
      Invalid_Product: 'Ambil kod daripada `GET /v2/catalog`. Huruf besar dan kecil dibezakan.',
      Product_Unavailable: 'Lihat `is_active` dalam katalog dan keadaan rangkaian; tawarkan yang lain.',
      'Several plans available for this amount and a plan code is needed':
        'Hantar `code` pilihan itu sebagai `extras.subproduct_code`.',
      'Unknown or inactive option code': 'Ambil semula pilihan; huruf besar dan kecil dibezakan.',
      'Option code does not match amount': 'Hantar `denomination` pilihan itu, bukan harganya.',
      Biller_Code_Required: 'Ambil daripada senarai pengebil atau pilihan.',
      Invalid_Biller_Code: 'Perbaharui senarai pengebil anda.',
      IC_Number_Required: 'Minta nombor kad pengenalan atau pasport penerima bayaran.',
      Invalid_IC_Number: 'Tinggalkan sempang dan ruang.',
      Ref2_Required: 'Mintanya, dan hantar sebagai `extras.ref2`.',
      Out_Of_Stock: 'Cuba kemudian, atau tawarkan amaun lain.',
      Temporary_Error_Please_Try_Again: 'Hantar badan yang sama sekali lagi selepas beberapa saat.',
      Invalid_Account: 'Minta pelanggan menyemaknya. `errors.account` menyatakan bentuk yang dijangka.',
      Duplicate_Or_Daily_Limit: 'Jangan ulang hari ini.',
      Account_Blacklisted: 'Jangan hantar lagi.',
      Invalid_Denomination: 'Ambil amaun daripada pilihan, atau kekal antara `min` dan `max`.',
      Identity_Check_Failed: 'Muktamad: jangan hantar lagi.',
    },
  },
})
