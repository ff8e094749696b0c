/** A longer line belongs to no header block and is no separator. */
const MAX_LINE_CHARS = 300
/** A block has at most this many lines, including blank and wrapped ones. */
const MAX_BLOCK_LINES = 16

type Kind = 'from' | 'date' | 'to' | 'cc' | 'subject'
type HeaderLine = { kind: Kind; value: string; isSent: boolean }
const NO_HEADER: HeaderLine = { kind: 'cc', value: '', isSent: false }
/** Date labels that people use too; the others indicate that something was sent. */
const CALENDAR =
  /^(?:date|datum|fecha|data|dato|päivämäärä|päiväys|pvm|dátum|dată|дата|ημερομηνία|tarih|ngày|tanggal|日時|日付|日期|时间|날짜|תאריך|التاريخ|تاريخ|วันที่)$/u
/** Direction marks, which some programs put between the numbers of a date. */
const DIRECTIONS = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** Header labels that mail programs put above an original, by meaning. */
const LABELS: Record<Kind, string> = {
  from: 'from|von|de|expéditeur|da|mittente|remetente|van|från|fra|avsändare|avsender|lähettäjä|od|від|от|feladó|küldő|de la|expeditor|από|αποστολέας|kimden|gönderen|từ|người gửi|dari|差出人|送信者|发件人|寄件者|寄件人|보낸 사람|보낸사람|발신|מאת|من|จาก',
  date: 'sent|date|sent at|gesendet|datum|envoyé|envoyé le|date d’envoi|enviado|enviado el|enviado em|enviada em|enviada|fecha|data|inviato|verzonden|skickat|sendt|dato|sendt den|lähetetty|päivämäärä|päiväys|pvm|wysłano|wysłane|wysłany|odesláno|odoslané|dátum|elküldve|küldve|trimis|dată|отправлено|дата|надіслано|изпратено|στάλθηκε|ημερομηνία|απεστάλη|gönderildi|gönderilme|gönderme|tarih|đã gửi|ngày|ngày gửi|gửi|tanggal|terkirim|poslano|送信日時|日時|日付|发送时间|日期|时间|發送時間|寄件日期|傳送日期|보낸 날짜|보낸날짜|날짜|נשלח|תאריך|التاريخ|تاريخ|تم الإرسال|أرسلت|วันที่',
  to: 'to|an|à|a|para|per|destinataire|destinatario|destinatário|aan|till|til|vastaanottaja|do|dla|komu|кому|до|címzett|către|προς|kime|alıcı|đến|tới|gửi đến|kepada|za|宛先|收件人|收件者|받는 사람|받는사람|수신|אל|إلى|ถึง',
  cc: 'cc|kopie|kopia|kopio|kopi|copie|copie à|copia|cópia|dw|másolat|копия|копія|копие|κοιν|κοιν.|κοινοποίηση|bilgi|参照|抄送|副本|참조|עותק|نسخة|bcc',
  subject:
    'subject|betreff|objet|asunto|oggetto|onderwerp|assunto|ämne|emne|aihe|temat|předmět|predmet|tárgy|subiect|subiectul|тема|относно|θέμα|konu|chủ đề|tiêu đề|subjek|perihal|naslov|件名|主题|主旨|主題|제목|נושא|الموضوع|เรื่อง',
}
const KIND_OF = new Map(
  Object.entries(LABELS).flatMap(([kind, labels]) =>
    labels.split('|').map((label) => [label, kind as Kind] as const),
  ),
)
const LABELLED = /^[\s*_|]{0,12}(\p{L}[\p{L}\p{M}.’' ]{0,24}?)[\s*_]{0,4}[:：](.*)$/u

/** Text between two runs of dashes above an original. */
const SEPARATORS = new Set(
  'original message|original appointment|forwarded message|ursprüngliche nachricht|originalnachricht|original-nachricht|original nachricht|weitergeleitete nachricht|message d’origine|message original|message transféré|mensaje original|mensaje reenviado|missatge original|messaggio originale|messaggio inoltrato|oorspronkelijk bericht|doorgestuurd bericht|mensagem original|mensagem encaminhada|oprindelig meddelelse|oprindelig besked|videresendt meddelelse|opprinnelig melding|videresendt melding|ursprungligt meddelande|originalmeddelande|vidarebefordrat meddelande|alkuperäinen viesti|välitetty viesti|oryginalna wiadomość|wiadomość oryginalna|przekazana wiadomość|treść przekazanej wiadomości|původní zpráva|přeposlaná zpráva|pôvodná správa|eredeti üzenet|továbbított üzenet|mesaj original|mesaj redirecționat|исходное сообщение|пересылаемое сообщение|оригинальное сообщение|вихідне повідомлення|оригинално съобщение|αρχικό μήνυμα|προωθημένο μήνυμα|orijinal mesaj|iletilen ileti|thư gốc|tin nhắn gốc|pesan asli|原始邮件|原始郵件|转发邮件|轉寄郵件|元のメッセージ|원본 메시지|원본 메일|הודעה מקורית|الرسالة الأصلية|reply above this line|please reply above this line|antworten sie oberhalb dieser zeile'.split(
    '|',
  ),
)
const FORWARD_LINES = new Set(
  'begin forwarded message|anfang der weitergeleiteten nachricht|anfang der weitergeleiteten e-mail|début du message réexpédié|début du message transféré|inicio del mensaje reenviado|inizio messaggio inoltrato|begin doorgestuurd bericht|início da mensagem reencaminhada|vidarebefordrat brev|videresendt besked|välitetty viesti alkaa|początek przekazywanej wiadomości|začátek přeposlané zprávy|начало переадресованного сообщения|далее пересылаемое сообщение|iletilen ileti başlangıcı|开始转发的邮件|転送されたメッセージ'.split(
    '|',
  ),
)

/**
 * Asks of a line whether the original begins there: a separator, or a block of header lines as mail programs copy them.
 * Each line is read once, however often its neighbours are asked for.
 *
 * @param lines composed (NFC)
 */
export function originalFinder(lines: readonly string[]): (at: number) => boolean {
  const read: HeaderLine[] = []
  const headerAt = (at: number) => (read[at] ??= headerLine(lines[at] ?? '') ?? NO_HEADER)
  return (at) => {
    const line = lines[at] ?? ''
    if (line.length > MAX_LINE_CHARS) return false
    return isSeparator(line.trim()) || isHeaderBlock(lines, at, headerAt)
  }
}

function isSeparator(line: string): boolean {
  if (!/[-_=#]{2}|[:：]$/u.test(line)) return false
  const words = line
    .replace(/^[\s>*_=#-]+|[\s*_=#:-]+$/g, '')
    .replaceAll("'", '’')
    .toLowerCase()
  if (words === '') return false
  if (FORWARD_LINES.has(words)) return /[:：]$/u.test(line)
  if (!/^[\s>*]{0,12}[-_=#]{2}/.test(line)) return false
  return SEPARATORS.has(words) || words.startsWith('forwarded by ')
}

/**
 * At least two consecutive header lines of different kinds, in any order. Two are enough if they give the sender's
 * address and the time. Three are enough with an address, a subject or "Sent:" among them, because people also list
 * journeys and dates.
 */
function isHeaderBlock(lines: readonly string[], at: number, headerAt: (at: number) => HeaderLine): boolean {
  const first = headerAt(at)
  if (first === NO_HEADER) return false
  const found = new Map([[first.kind, first]])
  let isWrapped = false
  for (let next = at + 1; next < Math.min(lines.length, at + MAX_BLOCK_LINES); next += 1) {
    if ((lines[next] ?? '').trim() === '') continue
    const header = headerAt(next)
    // A list of recipients, or a long subject, continues in the next line.
    if (header === NO_HEADER) {
      if (isWrapped) break
      isWrapped = true
      continue
    }
    isWrapped = false
    found.set(header.kind, header)
    if (isOriginal(found)) return true
  }
  return false
}

function isOriginal(found: ReadonlyMap<Kind, HeaderLine>): boolean {
  const from = found.get('from')
  const date = found.get('date')
  if (from === undefined) return false
  if (found.size === 2) return from.value.includes('@') && /\p{Nd}/u.test(date?.value ?? '')
  return (
    found.has('subject') ||
    date?.isSent === true ||
    [...found.values()].some(({ value }) => value.includes('@'))
  )
}

function headerLine(line: string): HeaderLine | null {
  if (line.length > MAX_LINE_CHARS || !/[:：]/u.test(line)) return null
  const [, label = '', value = ''] = LABELLED.exec(line.replace(DIRECTIONS, '')) ?? []
  const name = label.replaceAll("'", '’').toLowerCase()
  const kind = KIND_OF.get(name)
  if (kind === undefined || value.replace(/[*_\s]+/g, '') === '') return null
  return { kind, value, isSent: kind === 'date' && !CALENDAR.test(name) }
}
