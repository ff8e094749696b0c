import { anyOf } from '../phrases.ts'

// Phrases that identify a report, and those in it that are not about the recipient.

/** The mail was not refused yet: the server keeps trying. */
export const STILL_TRYING = anyOf(String.raw`
  warning: (?:could not send|message .*delayed)
  delivery (?:status notification )?\(?delay
  delayed\b
  has not (?:yet )?been delivered
  not yet been delivered
  will (?:be retried|continue|keep (?:on )?trying|retry)
  still (?:trying|being retried)
  temporary (?:problem|failure)[^.]{0,60}will
`)

/** … said so clearly that no other phrase in the report can mean the opposite. */
export const CERTAINLY_TRYING = anyOf(String.raw`
  will (?:be retried|keep (?:on )?trying|retry)
  not yet been delivered
  need not resend
  do not need to re-?send
  delivery attempts will continue
`)

/** Subjects that only delivery reports have, in the languages of mail servers. */
export const REPORT_SUBJECT = anyOf(
  String.raw`
  undeliver(?:able|ed)
  delivery (?:status notification|status|failure|has failed|notification|report|problem|error|delayed)
  mail (?:delivery|system error|could not be delivered)
  message (?:delivery|could not be delivered|undeliverable|you sent blocked|status)
  returned (?:mail|e-?mail|to sender)
  failure notice
  failed (?:mail|delivery)
  failure delivery
  notice: mail delivery
  postmaster notify
  warning: (?:could not send|message)
  could not (?:deliver|send)
  unable to deliver
  non ?delivery
  nondeliverable
  bounced? (?:mail|message|e-?mail)
  mail failure
  email delivery failure
  your message (?:could not|couldn't|wasn't)
  sorry, your message could not
  email not delivered
  loop alert
  unzustellbar
  nicht zugestellt
  nachricht (?:konnte )?nicht zustellbar
  fehler bei der (?:e-?mail-?)?zustellung
  übermittlungsstatus
  non remis
  échec de (?:la )?(?:remise|distribution|livraison)
  message non (?:distribué|délivré|remis)
  notification d'état de remise
  no se puede entregar
  no se pudo entregar
  error de entrega
  correo no entregado
  mensaje no entregado
  impossibile recapitare
  mancato recapito
  notifica (?:di )?mancat
  onbestelbaar
  niet bestelbaar
  não (?:é possível )?entreg
  falha na entrega
  kan (?:inte|ikke) lever
  olevererbart
  olevererbar
  niedostarczon
  nie można dostarczyć
  недоставленное
  не ?доставлено
  ваше сообщение не доставлено
  сообщение не доставлено
  投递失败
  无法投递
  退信
  系统退信
  未送達
  配信不能
  配信できません
  メールセキュリティ警告
  送信エラー
  メールの不達
  teslim edilemedi
  kézbesíthetetlen
`,
  String.raw`^(?:\[?postmaster\]?\s*)?`,
)

/** Names that mail servers use as senders. */
export const DAEMON = anyOf(
  String.raw`
  mailer[-_. ]?daemon
  mail[-_. ]?daemon
  mdaemon
  poo?st[-_. ]?master
  mail deliver\w* (?:sub)?system
  mail administrator
  system administrator
  content-filter
  microsoft outlook
  complaints?-?daemon
`,
  '^',
  String.raw`\b`,
)

/** … those among them that no person ever uses. */
export const CERTAIN_DAEMON = anyOf(
  String.raw`
  mailer[-_. ]?daemon
  mail[-_. ]?daemon
  mdaemon
  mail deliver\w* (?:sub)?system
`,
  '^',
  String.raw`\b`,
)

/** Addresses that reports give for help. */
export const HELP_ADDRESS = anyOf(
  String.raw`
  abuse
  support
  help
  help-?desk
  hostmaster
  webmaster
  noc
  security
  unblock
  delist
  removal
  admin
  administrator
`,
  '^',
  String.raw`@`,
)

/** What precedes an address that is not the recipient's: the sender, a help desk, a link. */
export const BEFORE_OTHER_ADDRESS = anyOf(
  String.raw`
  mail from
  envelope-from
  from
  sender
  reply-to
  contact
  message-id
  generated (?:from|by)
  postmaster at
  send .{0,20}to
  \bid
`,
  '',
  String.raw`\s{0,3}:?\s{0,3}<?$`,
)

/** … in the sentence before it. */
export const ASKS_TO_WRITE = anyOf(
  String.raw`
  please (?:contact|write|forward|send|e-?mail|ask|report|reply)
  write to
  further assistance
  for (?:help|assistance|questions)
  in touch with
  http\S*
  wenden sie sich
  kontaktieren sie
  veuillez (?:contacter|écrire)
  contactez
  póngase en contacto
  contacte
  contattare
  neem contact op
`,
  '',
  String.raw`[^.]*$`,
)

/** Sentences that open a free-text report. */
export const REPORT_SENTENCE = anyOf(String.raw`
  could ?n[o']t be delivered
  not delivered to
  (?:was|were) (?:not delivered|rejected by)
  undeliverable
  did not reach the following
  could not be reached
  unable to deliver
  wasn'?t able to deliver
  was(?:n'?t| not) able to (?:be delivered|deliver)
  error (?:has )?occurred while (?:attempting|trying) to deliver
  error delivering your mail
  delivery to the following recipients? (?:failed|has been delayed)
  delivery (?:has )?failed
  failed permanently
  permanent (?:error|failure)
  addresses had (?:delivery|permanent|fatal)
  delivery errors
  transcript of session follows
  no such user
  user unknown
  unknown user
  requested action not taken
  failure reasons
  recipients? (?:was|were) rejected
  invalid user address
  returned to (?:the )?sender
  duplicated message-id in
  не удалось доставить
  не может быть доставлено
  не было доставлено
  konnte nicht zugestellt werden
  n'a pas pu être (?:remis|délivré|distribué)
  no se pudo entregar
  配信できませんでした
  >>> RCPT TO
  <<< 5\d\d
  your message cannot be delivered
  dest_addr
  undelivered
`)

/** The line above the original mail. */
export const ORIGINAL_BELOW = anyOf(
  String.raw`
  this is a copy of (?:the|your) message
  below (?:this line )?is a copy
  the following is a copy
  included is a copy
  a copy of the (?:original )?message
  original message(?: headers?)?(?: follows?)?\s{0,3}[.:*=_ -]{0,80}$
  message headers? follow
  message header follows
  returned message
  the original message (?:follows|is attached|header)
  the header of the original message
  original mail as follows
  unsent message below
  headers? of the original message
  ----- message header
  received:\s{1,3}(?:from|by|\()
`,
  String.raw`^[-\s*=_>]*`,
)

/** Header lines as reports quote them from the original mail. */
export const QUOTED_HEADER = anyOf(
  String.raw`
  from
  to
  cc
  subject
  date
  sent
  message-id
  von
  an
  betreff
  gesendet
  de
  à
  objet
  envoyé
  para
  asunto
  enviado
  oggetto
  inviato
`,
  String.raw`^[\s>*]{0,40}`,
  String.raw`\s?:`,
)
