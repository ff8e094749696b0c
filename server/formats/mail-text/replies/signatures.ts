import { hasWords, wholeWords } from '../../../platform/text.ts'

/** RFC 3676 4.3 specifies "-- "; many programs strip the blank, or draw another line. */
const SEPARATOR = /^--[ \t]?$|^[—–]$|^_{2,4}$/u

const MAX_DEVICE_LINE_CHARS = 120
/** The longest such line: "Diese Nachricht wurde von meinem Android-Mobiltelefon mit … gesendet". */
const MAX_DEVICE_WORDS = 10
/** A standalone line of up to this many words counts even if it names no device. */
const MAX_UNNAMED_WORDS = 6

/** Text of programs and phones before the name of the device (a whole word, except in Chinese and Hebrew) … */
const SENT_FROM =
  /^(?:sent (?:from|via|with|using)|get outlook for|von meine[mrn]?|gesendet (?:von|mit|aus|über)|diese nachricht wurde von|hol(?:en sie sich)? outlook für|outlook für|envoyé (?:de|depuis|à partir|avec|par)|télécharger outlook|obtenez outlook|enviado (?:desde|do|da|a partir|de|con|via)|enviada (?:do|a partir)|obtener outlook|obter o outlook|inviato (?:da|dal|con)|scarica outlook|ottieni outlook|verzonden (?:vanaf|met|via)|verstuurd vanaf|outlook voor|skickat från|hämta outlook|sendt (?:fra|med|via)|hent outlook|få outlook|lähetetty|hanki outlook|wysłan[eoay] (?:z|za pomocą)|pobierz program outlook|odesláno (?:z|ze|pomocí)|odoslané (?:z|zo)|küldve|trimis (?:de pe|de la|din)|отправлено (?:с|из|через)|надіслано (?:з|із|від)|изпратено от|στάλθηκε από|εστάλη από|được gửi từ|đã gửi từ|gửi từ|dikirim dari|poslano (?:s|z)|发自|發自|從我的|נשלח מ|أُ?رسلت من|تم الإرسال من)(?![\p{L}\p{M}](?<![\p{Script=Han}\p{Script=Hebrew}].))/iu
/** … and after it. */
const SENT_FROM_BEHIND =
  /(?:gesendet|gönderildi|küldve|elküldve|から送信|から送信されました|에서 보냄|传送的|發送|发送|傳送)[.。!]?$/iu
const DEVICE =
  /i ?phone|i ?pad|i ?pod|android|galaxy|samsung|huawei|xiaomi|redmi|pixel|nokia|motorola|oneplus|sony|blackberry|windows|outlook|hotmail|gmail|yahoo|aol|icloud|proton|tutanota|spark|mail|почт|пошт|mobile?|mobiltelefon|handy|phone|telefon|puhelime|móvil|móviles|celular|téléphone|mobil|cellulare|telefono|tablet|smartphone|device|gerät|appareil|dispositiv|手机|手機|携帯|スマートフォン|핸드폰|휴대폰|아이폰|갤럭시|điện thoại|κινητό|телефон|мобильн|смартфон|устройств/iu
/** With one of these it is a sentence. */
const PREDICATE = wholeWords([
  'is|are|was|were|will|has|have|had|can|comes|come|came|you|we',
  'ist|sind|war|waren|wird|hat|haben|kommt|kommen',
  'est|sont|était|sera|a été|vous|nous',
  'es|está|están|son|fue|era',
  'è|sono|é|são|foi',
  'zijn|waren|wordt|är|var|er|blev|jest|są',
])

/** Courtesies that end a mail; the sender's name and company follow. */
const CLOSINGS = new Set(
  [
    'regards|best regards|kind regards|kindest regards|warm regards|warmest regards|many regards|with best regards|with kind regards|best|all the best|best wishes|with best wishes|kind wishes|cheers|sincerely|yours sincerely|sincerely yours|yours faithfully|yours truly|yours|cordially|respectfully|take care|thanks and regards|thanks & regards|thank you and best regards|br|kr|rgds',
    'mit freundlichen grüßen|mit freundlichem gruß|mit freundlichen gruessen|freundliche grüße|freundlichen gruß|freundlicher gruß|freundliche grüsse|mit freundlichen grüssen|viele grüße|viele grüsse|liebe grüße|beste grüße|mit besten grüßen|herzliche grüße|mit herzlichen grüßen|schöne grüße|gruß|grüße|lg|vg|mfg|bg|hochachtungsvoll|mit vorzüglicher hochachtung',
    'cordialement|bien cordialement|très cordialement|bien à vous|bien à toi|sincèrement|sincères salutations|salutations|meilleures salutations|salutations distinguées|amicalement|bonne journée|bonne soirée|bien amicalement|respectueusement|cdlt|cdt',
    'saludos|un saludo|saludos cordiales|un cordial saludo|cordiales saludos|atentamente|muy atentamente|un abrazo|reciba un cordial saludo',
    'cordiali saluti|distinti saluti|saluti|un saluto|un cordiale saluto|cordialmente|i migliori saluti|a presto|buona giornata|buon lavoro',
    'cumprimentos|com os melhores cumprimentos|melhores cumprimentos|atenciosamente|att|abraços|um abraço|saudações|com cumprimentos',
    'met vriendelijke groet|met vriendelijke groeten|vriendelijke groet|vriendelijke groeten|hartelijke groet|groet|groeten|mvg|hoogachtend',
    'vänliga hälsningar|med vänliga hälsningar|med vänlig hälsning|vänlig hälsning|hälsningar|bästa hälsningar|mvh|vh',
    'venlig hilsen|med venlig hilsen|mange hilsner|bedste hilsner|hilsen|de bedste hilsner|kh|vennlig hilsen|med vennlig hilsen|beste hilsen|hilsen fra',
    'ystävällisin terveisin|parhain terveisin|terveisin|terveisiä|kunnioittavasti',
    'pozdrawiam|z poważaniem|serdecznie pozdrawiam|pozdrawiam serdecznie|z wyrazami szacunku|łączę pozdrowienia|pozdrowienia',
    's pozdravem|s pozdravom|s přátelským pozdravem|zdravím|s úctou|hezký den',
    'üdvözlettel|tisztelettel|üdv|köszönettel',
    'cu stimă|cu respect|toate cele bune|o zi bună',
    'с уважением|с наилучшими пожеланиями|всего доброго|всего хорошего|с благодарностью|хорошего дня|з повагою|з найкращими побажаннями|поздрави|с уважение|сърдечни поздрави',
    'με εκτίμηση|με φιλικούς χαιρετισμούς|χαιρετισμούς|φιλικά|ευχαριστώ εκ των προτέρων',
    'saygılarımla|saygılarımızla|selamlar|iyi çalışmalar|sevgiler|iyi günler dilerim',
    'trân trọng|trân trọng kính chào|thân ái|thân mến|kính thư',
    'hormat saya|salam|salam hormat',
    '此致|此致敬礼|祝好|敬上|以上|よろしくお願いいたします|よろしくお願い致します|宜しくお願い致します|敬具',
    '감사합니다 드림|드림',
    'בברכה|תודה ובברכה|مع التحية|مع أطيب التحيات|تحياتي|وتفضلوا بقبول فائق الاحترام',
  ].flatMap((phrases) => phrases.split('|')),
)
/** "Viele Grüße aus Berlin". */
const CLOSING_FROM = / (?:aus|from|de|desde|da|uit|från|fra) (?:\p{L}|[ -]){2,30}$/u
const MAX_CLOSING_CHARS = 80
/** "Best regards, Bob Miller" on one line. */
const MAX_CLOSING_NAME_WORDS = 4
/** More lines than this below a courtesy are no signature. */
const MAX_SIGNATURE_LINES = 25
const POSTSCRIPT = /^p\.? ?p?\.? ?s\.?(?:[\s:,]|$)/i

/** Whether a signature begins below a line. */
export const isSignatureSeparator = (line: string): boolean => line.length <= 8 && SEPARATOR.test(line)

/**
 * Whether a program or a phone added a line about itself ("Sent from my iPhone"), rather than a person writing a
 * sentence.
 *
 * @param standsAlone the paragraph has no other line
 */
export function isDeviceLine(given: string, standsAlone: boolean): boolean {
  if (given.length > MAX_DEVICE_LINE_CHARS) return false
  const words = given.trim().replace(/^[*_[(]+|[*_\])]+$/g, '')
  const isBehind = SENT_FROM_BEHIND.test(words)
  if (!isBehind && !SENT_FROM.test(words)) return false
  // "Sent from my phone, please excuse my brevity": the device comes first.
  const claim = isBehind ? words : (words.split(/[,;.!](?:\s|$)|</u)[0] ?? '')
  if (PREDICATE.test(claim)) return false
  const count = claim.split(/\s+/).length
  if (DEVICE.test(claim)) return count <= MAX_DEVICE_WORDS
  return !isBehind && standsAlone && claim === words && count <= MAX_UNNAMED_WORDS
}

/** The text without its courtesies and what follows them; a postscript stays. */
export function withoutClosing(text: string): string {
  const lines = text.split('\n')
  let saysSomething = false
  for (const [at, line] of lines.entries()) {
    if (saysSomething && isClosing(line)) {
      const below = lines.slice(at + 1)
      if (below.filter(hasWords).length > MAX_SIGNATURE_LINES) return text
      const postscript = below.findIndex((next) => POSTSCRIPT.test(next.trim()))
      const kept = lines.slice(0, at).join('\n').trimEnd()
      return postscript < 0 ? kept : `${kept}\n\n${below.slice(postscript).join('\n').trim()}`
    }
    saysSomething ||= hasWords(line)
  }
  return text
}

function isClosing(given: string): boolean {
  if (given.length > MAX_CLOSING_CHARS) return false
  const line = given.trim().normalize('NFC').replaceAll("'", '’').toLowerCase()
  const comma = line.search(/[,،，]/u)
  const behind = comma < 0 ? '' : line.slice(comma + 1)
  const words = (comma < 0 ? line : line.slice(0, comma))
    .replace(/[\s.!:;…。*_-]+$/u, '')
    .replace(/^[\s*_-]+/, '')
  if (behind.split(/\s+/).filter(hasWords).length > MAX_CLOSING_NAME_WORDS || /[?؟]/u.test(behind))
    return false
  return CLOSINGS.has(words) || (CLOSING_FROM.test(words) && CLOSINGS.has(words.replace(CLOSING_FROM, '')))
}
