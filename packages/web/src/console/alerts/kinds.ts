import { defineMessages } from '../../text/language.ts'

/** Meaning of each kind of alert, as the service has it (a test compares them), and what an operator does about it. */
export const ALERT_KINDS = defineMessages({
  en: {
    payment_contradiction: {
      meaning:
        'A supplier says the opposite of the final state of a payment, or carried it out twice. No money moved.',
      remedy:
        'Open the payment, ask the supplier with the reference of the attempt, then settle the difference.',
    },
    sold_below_cost: {
      meaning: 'A product is sold for less than the cheapest route to a supplier costs.',
      remedy: 'Correct the price, or the cost of the route; the margins show both.',
    },
    price_without_route: {
      meaning: 'A product has a price, and no supplier that takes orders for it: payments are refused.',
      remedy: 'Set a route, or take the price away.',
    },
    route_without_price: {
      meaning: 'A product has a route to a supplier, and no price level sells it.',
      remedy: 'Set a price, or remove the route.',
    },
    payments_stuck: {
      meaning: 'Payments at a supplier are past their due time for half an hour. Their money is held.',
      remedy: 'Ask the supplier about each; end those that it knows the result of.',
    },
    success_rate_fell: {
      meaning:
        'Far fewer payments of a product, a supplier or a reseller succeed than in its own week before.',
      remedy:
        'Look at the codes of the failed payments; send them to another supplier, or tell the reseller.',
    },
    attempt_undecided: {
      meaning:
        'A supplier has not decided about an attempt that its payment no longer needs. It may be fulfilled twice.',
      remedy: 'Ask the supplier to cancel or confirm the order with that reference.',
    },
    answer_ambiguous: {
      meaning:
        'An answer of a supplier has several orders where one is expected. It decides nothing: the payment waits.',
      remedy:
        'Ask the supplier what became of the reference. Correct the connection, or settle a second fulfilment.',
    },
    callback_amount: {
      meaning:
        'A callback names another amount than the payment has. It was not believed; the supplier is asked.',
      remedy: 'Look at the timeline of the payment; if it repeats, check the connection with the supplier.',
    },
    outcome_refused: {
      meaning: 'The database refuses an answer of a supplier. The answer is kept in a file.',
      remedy: 'Keep the data folder of the node, and report the error in the text of the alert.',
    },
    outcomes_waiting: {
      meaning: 'Answers of suppliers wait in memory or in files, because the database does not take them.',
      remedy:
        'Bring the database back. Do not delete the data folder of the node before this alert is cleared.',
    },
    outcome_file: {
      meaning: 'A file with answers of suppliers cannot be read.',
      remedy: 'Keep the file, and compare the payments of that time with the records of the supplier.',
    },
    order_stuck: {
      meaning:
        'An order of the hosted checkout does not move on: the customer has paid, or its time is over.',
      remedy:
        'Read the error in the text and in the log. Ask the reseller to deposit if the balance is too low.',
    },
    void_contradiction: {
      meaning: 'A supplier contradicts the decision of a closed case about a void. No money moved.',
      remedy: 'Open the case, ask the supplier, then settle the difference.',
    },
    case_waiting: {
      meaning: 'A case waits for a person.',
      remedy: 'Take the case: only a person can take it further.',
    },
    case_overdue: {
      meaning: 'A case is past its due time.',
      remedy: 'Decide the case, or tell the reseller when it will be decided.',
    },
    approval_waiting: {
      meaning: 'A request has waited half an hour for a second person.',
      remedy: 'Approve or refuse the request before it expires.',
    },
    deposit_reported: {
      meaning: 'A reseller reports a bank transfer, and its money is not in the wallet yet.',
      remedy: 'Compare the slip with the bank, then accept or refuse the deposit request.',
    },
    supplier_silent: {
      meaning: 'A supplier does not answer orders any more.',
      remedy: 'Call the supplier. Until it answers, send payments to another one or stop the sale.',
    },
    float_low: {
      meaning: 'Our money at a supplier is below its threshold.',
      remedy: 'Top up the float. Without one, payments fail or go to another supplier.',
    },
    float_forecast: {
      meaning: 'At the present rate our money at a supplier ends soon.',
      remedy: 'Plan a top up of the float.',
    },
    float_unread: {
      meaning: 'A supplier does not report our remaining money.',
      remedy: 'Check the connection with the supplier, and look at the float there.',
    },
    stock_low: {
      meaning: 'Fewer items of a denomination are free than its level asks for.',
      remedy: 'Load another batch.',
    },
    stock_out: {
      meaning: 'No item of a denomination is free.',
      remedy: 'Load another batch. Until then payments for it fail or go to another supplier.',
    },
    catalogue_pattern: {
      meaning: 'A stored pattern of a product field would be refused if it were saved today. It still works.',
      remedy: 'Change the pattern of the field that the text names.',
    },
    database_clock: {
      meaning: 'The clock of the database was moved, or differs from the clock of a node.',
      remedy: 'Keep the clocks of all machines by a time service.',
    },
    untrusted_proxy: {
      meaning:
        'A peer with a private address sends forwarding headers, and WARUNG_TRUST_PROXY does not name it.',
      remedy:
        'Name the proxy in WARUNG_TRUST_PROXY on every node: its clients share one rate limit until then.',
    },
    untrusted_forwarding: {
      meaning:
        'A peer with a public address sends forwarding headers, and WARUNG_TRUST_PROXY does not name it.',
      remedy: 'Name it in WARUNG_TRUST_PROXY if it is your proxy. If it is a client, clear the alert.',
    },
    backup_old: {
      meaning: 'The newest backup is older than WARUNG_BACKUP_MAX_AGE_HOURS, or there is none.',
      remedy:
        'Run the command "warungd backup" and read its error; then look at the timer that should run it.',
    },
    backup_log_old: {
      meaning:
        'The log of the database does not reach the folder of backups: the last minutes could be lost.',
      remedy:
        'Look at the log of the service for the reason: a full disk, or a right that the database refuses.',
    },
    restore_open: {
      meaning:
        'The database was restored to an earlier moment, and nobody has accepted it: unknown refids are not paid.',
      remedy: 'Compare with the suppliers and resellers, then run the command "warungd restore accept".',
    },
    mail_unreachable: {
      meaning: 'No mail gets through to the mail server.',
      remedy: 'Check WARUNG_SMTP_URL and the mail server; the command "warungd mail test" shows the error.',
    },
    mail_given_up: {
      meaning: 'A mail was given up: its address refuses it, or no attempt got through.',
      remedy: 'Correct the address that the text names.',
    },
    mail_not_configured: {
      meaning: 'Mails wait, and there is no mail server to send them with.',
      remedy: 'Set WARUNG_SMTP_URL.',
    },
    mail_notice_unreadable: {
      meaning: 'A notice to a reseller could not become a mail.',
      remedy: 'Report the error in the text of the alert; tell the reseller by hand.',
    },
    mail_copies_limited: {
      meaning:
        'A reseller reached the daily limit for copies of mails about cases. Further copies are not sent that day.',
      remedy: 'Ask the reseller why it names so many addresses.',
    },
    alert_webhook_failing: {
      meaning: 'The receiver at WARUNG_ALERT_WEBHOOK does not take alerts.',
      remedy: 'Check the receiver. Alerts are sent again for a day; after that they are in the list alone.',
    },
  },
  ms: {
    payment_contradiction: {
      meaning:
        'Pembekal menyatakan yang bertentangan dengan keadaan akhir bayaran, atau melaksanakannya dua kali. Tiada wang bergerak.',
      remedy: 'Buka bayaran, tanya pembekal dengan rujukan percubaan, kemudian selesaikan perbezaannya.',
    },
    sold_below_cost: {
      meaning: 'Produk dijual lebih murah daripada kos laluan termurah ke pembekal.',
      remedy: 'Betulkan harga atau kos laluan; halaman margin menunjukkan kedua-duanya.',
    },
    price_without_route: {
      meaning: 'Produk mempunyai harga, tetapi tiada pembekal menerima pesanannya: bayaran ditolak.',
      remedy: 'Tetapkan laluan, atau buang harganya.',
    },
    route_without_price: {
      meaning: 'Produk mempunyai laluan ke pembekal, tetapi tiada tahap harga yang menjualnya.',
      remedy: 'Tetapkan harga, atau buang laluan.',
    },
    payments_stuck: {
      meaning: 'Bayaran di pembekal sudah setengah jam melepasi masa akhirnya. Wangnya ditahan.',
      remedy: 'Tanya pembekal tentang setiap satu; tamatkan yang diketahui hasilnya.',
    },
    success_rate_fell: {
      meaning:
        'Bayaran yang berjaya bagi produk, pembekal atau penjual semula jauh lebih sedikit daripada minggu sebelumnya.',
      remedy: 'Lihat kod bayaran yang gagal; hantar ke pembekal lain, atau beritahu penjual semula.',
    },
    attempt_undecided: {
      meaning:
        'Pembekal belum memutuskan percubaan yang tidak lagi diperlukan oleh bayarannya. Ia mungkin dilaksanakan dua kali.',
      remedy: 'Minta pembekal membatalkan atau mengesahkan pesanan dengan rujukan itu.',
    },
    answer_ambiguous: {
      meaning:
        'Jawapan pembekal mengandungi beberapa pesanan sedangkan satu sahaja dijangka. Ia tidak memutuskan apa-apa: bayaran menunggu.',
      remedy:
        'Tanya pembekal apa yang berlaku pada rujukan itu. Betulkan sambungan, atau selesaikan pelaksanaan kedua.',
    },
    callback_amount: {
      meaning:
        'Callback menyatakan amaun yang berbeza daripada bayaran. Ia tidak dipercayai; pembekal ditanya.',
      remedy: 'Lihat garis masa bayaran; jika berulang, periksa sambungan dengan pembekal.',
    },
    outcome_refused: {
      meaning: 'Pangkalan data menolak jawapan pembekal. Jawapan disimpan dalam fail.',
      remedy: 'Simpan folder data nod itu, dan laporkan ralat dalam teks amaran.',
    },
    outcomes_waiting: {
      meaning: 'Jawapan pembekal menunggu dalam memori atau fail kerana pangkalan data tidak menerimanya.',
      remedy: 'Pulihkan pangkalan data. Jangan padam folder data nod sebelum amaran ini selesai.',
    },
    outcome_file: {
      meaning: 'Fail yang mengandungi jawapan pembekal tidak dapat dibaca.',
      remedy: 'Simpan fail itu, dan bandingkan bayaran pada masa itu dengan rekod pembekal.',
    },
    order_stuck: {
      meaning: 'Pesanan halaman bayaran tidak bergerak: pelanggan sudah membayar, atau masanya sudah tamat.',
      remedy:
        'Baca ralat dalam teks dan log. Minta penjual semula membuat deposit jika bakinya terlalu rendah.',
    },
    void_contradiction: {
      meaning:
        'Pembekal menyatakan perkara lain tentang pembatalan yang kesnya sudah ditutup. Tiada wang bergerak.',
      remedy: 'Buka kes, tanya pembekal, kemudian selesaikan perbezaannya.',
    },
    case_waiting: {
      meaning: 'Kes menunggu seseorang.',
      remedy: 'Ambil kes itu: hanya manusia boleh meneruskannya.',
    },
    case_overdue: {
      meaning: 'Kes telah melepasi tarikh akhir.',
      remedy: 'Putuskan kes itu, atau beritahu penjual semula bila ia akan diputuskan.',
    },
    approval_waiting: {
      meaning: 'Permintaan telah menunggu orang kedua selama setengah jam.',
      remedy: 'Luluskan atau tolak permintaan itu sebelum tamat tempoh.',
    },
    deposit_reported: {
      meaning: 'Penjual semula melaporkan pindahan bank, dan wangnya belum masuk ke dompet.',
      remedy: 'Bandingkan slip dengan bank, kemudian terima atau tolak laporan deposit.',
    },
    supplier_silent: {
      meaning: 'Pembekal tidak lagi menjawab pesanan.',
      remedy: 'Hubungi pembekal. Sehingga ia menjawab, hantar bayaran ke pembekal lain atau hentikan jualan.',
    },
    float_low: {
      meaning: 'Wang kita di pembekal berada di bawah paras amaran.',
      remedy: 'Tambah baki. Tanpanya bayaran gagal atau pergi ke pembekal lain.',
    },
    float_forecast: {
      meaning: 'Pada kadar sekarang, wang kita di pembekal akan habis tidak lama lagi.',
      remedy: 'Rancang tambahan baki.',
    },
    float_unread: {
      meaning: 'Pembekal tidak menyatakan baki wang kita.',
      remedy: 'Periksa sambungan dengan pembekal, dan lihat baki di sana.',
    },
    stock_low: {
      meaning: 'Item denominasi yang tinggal kurang daripada parasnya.',
      remedy: 'Muatkan kelompok baharu.',
    },
    stock_out: {
      meaning: 'Tiada item denominasi yang tinggal.',
      remedy: 'Muatkan kelompok baharu. Sehingga itu bayarannya gagal atau pergi ke pembekal lain.',
    },
    catalogue_pattern: {
      meaning:
        'Corak yang disimpan bagi medan produk akan ditolak jika disimpan hari ini. Ia masih berfungsi.',
      remedy: 'Ubah corak medan yang dinamakan dalam teks.',
    },
    database_clock: {
      meaning: 'Jam pangkalan data diubah, atau berbeza daripada jam nod.',
      remedy: 'Selaraskan jam semua mesin dengan perkhidmatan masa.',
    },
    untrusted_proxy: {
      meaning:
        'Pihak dengan alamat persendirian menghantar pengepala penghalaan, dan WARUNG_TRUST_PROXY tidak menamakannya.',
      remedy:
        'Namakan proksi itu dalam WARUNG_TRUST_PROXY pada setiap nod: sehingga itu kliennya berkongsi satu had kadar.',
    },
    untrusted_forwarding: {
      meaning:
        'Pihak dengan alamat awam menghantar pengepala penghalaan, dan WARUNG_TRUST_PROXY tidak menamakannya.',
      remedy: 'Namakannya dalam WARUNG_TRUST_PROXY jika ia proksi anda. Jika ia klien, selesaikan amaran.',
    },
    backup_old: {
      meaning: 'Sandaran terbaharu lebih lama daripada WARUNG_BACKUP_MAX_AGE_HOURS, atau tiada sandaran.',
      remedy:
        'Jalankan arahan "warungd backup" dan baca ralatnya; kemudian periksa pemasa yang patut menjalankannya.',
    },
    backup_log_old: {
      meaning: 'Log pangkalan data tidak sampai ke folder sandaran: minit-minit terakhir boleh hilang.',
      remedy:
        'Cari sebabnya dalam log perkhidmatan: cakera penuh, atau hak yang ditolak oleh pangkalan data.',
    },
    restore_open: {
      meaning:
        'Pangkalan data dipulihkan ke masa terdahulu, dan belum diterima oleh sesiapa: refid yang tidak dikenali tidak dibayar.',
      remedy:
        'Bandingkan dengan pembekal dan penjual semula, kemudian jalankan arahan "warungd restore accept".',
    },
    mail_unreachable: {
      meaning: 'Tiada mel yang sampai ke pelayan mel.',
      remedy: 'Periksa WARUNG_SMTP_URL dan pelayan mel; arahan "warungd mail test" menunjukkan ralatnya.',
    },
    mail_given_up: {
      meaning: 'Mel tidak lagi dicuba: alamatnya menolak, atau tiada percubaan yang sampai.',
      remedy: 'Betulkan alamat yang dinamakan dalam teks.',
    },
    mail_not_configured: {
      meaning: 'Mel menunggu, dan tiada pelayan mel untuk menghantarnya.',
      remedy: 'Tetapkan WARUNG_SMTP_URL.',
    },
    mail_notice_unreadable: {
      meaning: 'Notis kepada penjual semula tidak dapat dijadikan mel.',
      remedy: 'Laporkan ralat dalam teks amaran; beritahu penjual semula sendiri.',
    },
    mail_copies_limited: {
      meaning:
        'Penjual semula mencapai had harian salinan mel tentang kes. Salinan seterusnya tidak dihantar pada hari itu.',
      remedy: 'Tanya penjual semula mengapa ia menamakan begitu banyak alamat.',
    },
    alert_webhook_failing: {
      meaning: 'Penerima di WARUNG_ALERT_WEBHOOK tidak menerima amaran.',
      remedy:
        'Periksa penerima itu. Amaran dihantar semula selama sehari; selepas itu ia hanya ada dalam senarai.',
    },
  },
})
