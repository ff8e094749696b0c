import { anyOf } from '../phrases.ts'

// Phrases of mail servers, one per line; each is the source of a regular expression, case ignored. hard-failure.ts
// decides what they mean for the recipient and which take precedence; it matches text without links and with "@" for
// every address.

/** The mailbox exists but accepts nothing now. */
export const MAILBOX_FULL = anyOf(String.raw`
  mailbox (?:is )?(?:full|over)
  over ?quota
  quota exceed
  exceed\w* .{0,20}quota
  out of (?:disk )?(?:space|storage)
  insufficient (?:disk|system) (?:space|storage)
  inbox is full
  too many messages
  storage (?:limit|quota|allocation)
  not enough (?:disk )?space
  \b5\.2\.2\b
  voll\b.*postfach
  postfach .*voll
  boîte .*pleine
  buzón .{0,40}lleno
  casella .{0,40}piena
  skrzynka .{0,40}pełna
  ящик .{0,40}переполнен
`)

/** The address exists, and the problem is temporary. */
export const TEMPORARY = anyOf(String.raw`
  (?<!not a |non-?)temporar
  temporär
  temporaire
  temporaneamente
  vorübergehend
  tijdelijk
  временно
  tymczasow
  一時的
  \block(?:ed|s|ing)?\b
  \.lock\b
  receiving (?:e?-?mails?|messages) (?:at a rate|too)
  too many (?:recipients|messages|e?-?mails|connections|concurrent|errors|sessions)
  (?:per|this|each|an) (?:second|minute|hour|day)
  (?:hourly|daily) (?:limit|quota)
  rate ?limit
  rate (?:is )?exceeded
  throttl
  try(?:ing)? (?:it |sending |to send |your message |the message )?again (?:later|in|after|soon|shortly|tomorrow)
  (?:try|retry|resend) .{0,20}later
  found,? \(?try again
  gr[ae]y-?list
  \bdeferred
  servfail
  server ?failure
  lookup (?:failure|failed|timed|did not complete)
  dns (?:query|timeout|failure)
  name ?server (?:timeout|failure|error)
  name server reply
  time[ds]? ?out
  connection (?:refused|reset|lost|dropped)
  unreachable
  no route to host
  queue too long
  \bexpired\b
  unverified address
  overload
  maintenance
  shutting down
`)

/** About us as the sender, whatever else is said to "not exist". */
export const ABOUT_SENDER = anyOf(String.raw`
  sender(?: address| domain| e-?mail)?(?: @)?:? (?:is |was )?(?:rejected|unknown|invalid|denied|not |does not|doesn't|has no)
  sender (?:verify|verification|callout)
  (?:domain|address) of (?:the )?sender
  sender(?:'s)? (?:domain|address)
  sending (?:domain|ip|host|server)
  your (?:domain|ip|host|server|helo|e-?mail domain)\b
  (?:helo|ehlo) (?:command|name)
  client host
  accept(?:s|ing)? (?:e-?mail|mail|messages|connections) from
  cannot (?:find|resolve) your
  verification failed for
  mail ?from.{0,30}(?:rejected|unknown|not exist|listed|denied)
  (?:after|in reply to) mail from
  \b5\.1\.[78]\b
`)

/** Refused because of who we are or what we wrote. Takes precedence over anything about the recipient. */
export const POLICY = anyOf(String.raw`
  spam
  \bjunk\b
  black ?list
  block(?:ed\b|ing\b| ?list)
  \brbl\b
  dnsbl
  reputation
  \bspf\b
  \bdkim\b
  \bdmarc\b
  authenticat
  polic(?:y|ies)
  prohibit
  banned
  denied
  abuse
  virus
  malware
  phish
  content (?:rejected|filter)
  message content
  unsolicited
  not (?:permitted|allowed|authorized)
  restrict
`)

/** Microsoft 365 says this, with 5.4.1, about addresses that its directory does not contain. */
export const NOT_IN_DIRECTORY = /recipient address rejected: access denied/i

/** There is no such recipient. */
export const NO_SUCH_USER = anyOf(String.raw`
  unknown (?:user|recipient|local|address|or illegal alias|account|mailbox|alias)
  no such (?:user|mailbox|recipient|address|person|account|local)
  (?:user|recipient|mailbox|account|(?<!\bip )address|alias|inbox)\b[^.;!?]{0,40}(?:not (?:found|exist|known|recogni[sz]ed|listed)|n't (?:exist|be found|have an?)|unknown|nonexist|non-exist)
  (?:user|recipient|mailbox|account|address|alias)\b[^.;:!?]{0,20}(?:no longer|been (?:deactivated|closed|discontinued|deleted|removed))
  (?:user|recipient|mailbox|account|(?<!\bip )address)(?: @)? (?:is )?(?:not (?:a )?valid|invalid|wrong)
  invalid (?:user|recipient|mailbox|address|e-?mail address)
  (?:address|user|recipient|mailbox)[^.;!?]{0,40} (?:can ?not|could not|couldn't|can't) be found
  recipient ?not ?found
  @ (?:does not|doesn't) exist
  account that you tried to reach does not exist
  not our customer
  address rejected: (?:undeliverable|user)
  #5\.1\.0 address rejected
  unrouteable address
  undeliverable address
  bad destination mailbox
  doesn't have an? \S+ account
  resolver\.adr\.(?:ex)?recip\w*notfound
  no mailbox here
  unable to find (?:the )?(?:user|recipient)
  dd this user
  invalid final delivery
  inexistant
  n'existe pas
  destinataire (?:inconnu|invalide)
  utilisateur inconnu
  adresse (?:est )?introuvable
  l'adresse est introuvable
  adresse d.?.?au moins un destinataire invalide
  existiert nicht
  unbekannt\w* (?:empfänger|benutzer)
  (?:empfänger|benutzer)\b.{0,40}unbekannt
  adresse (?:wurde )?nicht gefunden
  no existe
  inexistente
  (?:usuario|destinatario) desconocido
  no se ha encontrado la dirección
  dirección no encontrada
  non esiste
  (?:utente|destinatario) (?:sconosciuto|inesistente)
  indirizzo non trovato
  não existe
  (?:usuário|utilizador|destinatário) (?:desconhecido|inexistente)
  endereço não encontrado
  bestaat niet
  onbekende (?:gebruiker|ontvanger)
  adres niet gevonden
  nieznany (?:użytkownik|odbiorca|adres)
  nie istnieje
  finns inte
  okänd (?:användare|mottagare)
  не (?:существует|найден)
  неизвестный (?:пользователь|получатель)
  kullanıcı (?:bulunamadı|yok)
  ディレクトリ.*(?:ありません|見つかりません)
  該当(?:する)?.*ユーザ
  宛先.*(?:存在|見つかり)
  (?:用户|收件人|地址|邮箱).{0,10}不存在
`)

/** The domain does not exist, or accepts no mail at all (RFC 7504, RFC 7505). */
export const NO_SUCH_DOMAIN = anyOf(String.raw`
  (?:domain|host)(?: name| or domain name)?(?: \S+)? (?:does not exist|not found|doesn't exist|is not valid|unknown)
  name not found
  unknown (?:domain|host)
  no such (?:domain|host)
  domain[^.;]{0,60} couldn't be found
  null ?mx
  mx or srv record indicated no smtp service
  (?:domain|host|server|recipient|system)\b.{0,60} (?:does not|doesn't) accept (?:e-?)?mail\b(?! from)
  (?:domain|host|server)\b.{0,60} accepts no mail\b(?! from)
  doesn't receive e-?mail
  couldn't find any host (?:named|by that name)
  could not be resolved
  nxdomain
  had no relevant answers
  illegal host
  unrouteable (?:mail )?domain
  bad destination (?:system|host)
  non-?existent (?:host|domain)
  no mx (?:record|host)
  домен .*не
`)

/** The recipient no longer exists, it seems; servers use these phrases for other cases too. */
export const UNAVAILABLE = anyOf(String.raw`
  mailbox (?:unavailable|not available|disabled|inactive)
  (?:user|recipient|mailbox|account|address)(?: @)? (?:is |has been |been )?(?:disabled|inactive|closed|terminated|deactivated)
  email account .{0,40} is (?:disabled|inactive)
  disabled recipient
`)

/** The recipient was not checked: relaying, size, loops, a server error. */
export const REFUSED_FOR_OTHER_REASONS = anyOf(String.raw`
  relay
  too (?:large|big)
  size (?:limit|exceed)
  message size
  too many
  reverse dns
  \bptr\b
  \btls\b
  encrypt
  loop
  unable to connect
  not accepting
  service unavailable
  local (?:error|configuration)
  system config
  procmail
  command died
  child process
  refused to talk
  try again
  retry
  resources
  shutdown
  did not like our final data
  after (?:end of data|initial connection|sending data)
  failed after i sent
  rejected by (?:destination|recipient'?s? (?:domain|server))
  command parameter not implemented
`)
