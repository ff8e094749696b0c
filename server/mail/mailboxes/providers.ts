/** A provider's servers to send and read mail; ports 465 and 993 are encrypted from the first byte. */
export type Provider = {
  name: string
  domains: readonly string[]
  smtp: readonly [host: string, port: number]
  imap: readonly [host: string, port: number]
  /** The name to sign in with, if it is not the whole address. */
  username?: 'local part'
  /** Encryption is on except for programs on the same machine. */
  plain?: true
  hint?: string
  /** Suffixes of the MX hosts of other domains that this provider serves. */
  mx?: readonly string[]
}

const appPassword = (name: string, where: string) =>
  `${name} does not accept your usual password here. Make an app password (${where}) and enter that.`

/** Gmail, for private users and companies. */
const GOOGLE_HINT = appPassword('Google', 'Google Account → Security → 2-Step Verification → App passwords')

const MICROSOFT_HINT =
  'Microsoft has switched password sign-in off for most accounts. If the test fails, ask your administrator to allow authenticated SMTP and IMAP, or use an app password.'

const ZOHO_HINT =
  'Switch IMAP access on in Zoho Mail (Settings → Mail Accounts → IMAP). With two-factor sign-in you need an app password.'
const NETEASE_HINT =
  'NetEase wants an authorization code instead of your password: Settings → POP3/SMTP/IMAP.'
const allowAccess = (where: string) => `Allow access by other programs first: ${where}.`

const words = (list: string) => list.match(/\S+/g) ?? []

/** A row of the table: domains with blanks between them, servers as "host" or "host:port" if the port is not the usual one. */
function provider(
  name: string,
  domains: string,
  smtp: string,
  imap: string,
  more: Pick<Provider, 'username' | 'plain' | 'hint' | 'mx'> = {},
): Provider {
  const server = (at: string, usual: number) => {
    const [host = '', port = usual] = at.split(':')
    return [host, Number(port)] as const
  }
  return { name, domains: words(domains), smtp: server(smtp, 465), imap: server(imap, 993), ...more }
}

/** The most common providers. Source: their own help pages. */
export const PROVIDERS: readonly Provider[] = [
  provider('Gmail', 'gmail.com googlemail.com', 'smtp.gmail.com', 'imap.gmail.com', { hint: GOOGLE_HINT }),
  provider('Google Workspace', '', 'smtp.gmail.com', 'imap.gmail.com', {
    hint: GOOGLE_HINT,
    mx: words('google.com googlemail.com'),
  }),
  provider(
    'Outlook',
    'outlook.com outlook.de outlook.fr outlook.es outlook.it outlook.in hotmail.com hotmail.co.uk hotmail.de ' +
      'hotmail.fr hotmail.it live.com live.co.uk live.de live.fr msn.com',
    'smtp-mail.outlook.com:587',
    'outlook.office365.com',
    { hint: MICROSOFT_HINT },
  ),
  provider('Microsoft 365', '', 'smtp.office365.com:587', 'outlook.office365.com', {
    hint: MICROSOFT_HINT,
    mx: words('mail.protection.outlook.com mx.microsoft'),
  }),
  provider(
    'Yahoo Mail',
    'yahoo.com yahoo.co.uk yahoo.co.in yahoo.in yahoo.de yahoo.fr yahoo.it yahoo.es yahoo.ca yahoo.com.au ' +
      'yahoo.com.br ymail.com rocketmail.com',
    'smtp.mail.yahoo.com',
    'imap.mail.yahoo.com',
    { hint: appPassword('Yahoo', 'Account security → Generate app password') },
  ),
  provider('AOL', 'aol.com aol.de aol.co.uk aim.com', 'smtp.aol.com', 'imap.aol.com', {
    hint: appPassword('AOL', 'Account security → Generate app password'),
  }),
  provider('iCloud Mail', 'icloud.com me.com mac.com', 'smtp.mail.me.com:587', 'imap.mail.me.com', {
    hint: appPassword('Apple', 'account.apple.com → Sign-In and Security → App-Specific Passwords'),
    mx: ['mail.icloud.com'],
  }),
  provider(
    'Fastmail',
    'fastmail.com fastmail.fm messagingengine.com',
    'smtp.fastmail.com',
    'imap.fastmail.com',
    {
      hint: appPassword('Fastmail', 'Settings → Privacy & Security → Connected apps & API tokens'),
      mx: ['messagingengine.com'],
    },
  ),
  provider('Zoho Mail', 'zoho.com zohomail.com', 'smtp.zoho.com', 'imap.zoho.com', {
    hint: ZOHO_HINT,
    mx: ['zoho.com'],
  }),
  provider('Zoho Mail (Europe)', 'zoho.eu zohomail.eu', 'smtp.zoho.eu', 'imap.zoho.eu', {
    hint: ZOHO_HINT,
    mx: ['zoho.eu'],
  }),
  provider('GMX', 'gmx.de gmx.net gmx.at gmx.ch', 'mail.gmx.net', 'imap.gmx.net', {
    hint: allowAccess('GMX → Settings → POP3/IMAP'),
  }),
  provider('GMX', 'gmx.com gmx.co.uk gmx.us gmx.fr', 'mail.gmx.com', 'imap.gmx.com', {
    hint: allowAccess('GMX → Settings → POP3 & IMAP'),
  }),
  provider('WEB.DE', 'web.de email.de', 'smtp.web.de:587', 'imap.web.de', {
    hint: allowAccess('WEB.DE → Einstellungen → POP3/IMAP'),
  }),
  provider('T-Online', 't-online.de magenta.de', 'securesmtp.t-online.de', 'secureimap.t-online.de', {
    hint: 'T-Online wants its separate password for email programs, set in the customer centre.',
  }),
  provider('freenet', 'freenet.de', 'mx.freenet.de:587', 'mx.freenet.de'),
  provider(
    'Posteo',
    'posteo.de posteo.net posteo.org posteo.eu posteo.at posteo.ch',
    'posteo.de',
    'posteo.de',
  ),
  provider('mailbox.org', 'mailbox.org', 'smtp.mailbox.org', 'imap.mailbox.org', { mx: ['mailbox.org'] }),
  provider('IONOS', 'ionos.de ionos.com online.de onlinehome.de 1und1.de', 'smtp.ionos.de', 'imap.ionos.de', {
    mx: words('kundenserver.de ionos.de'),
  }),
  provider('IONOS', '1and1.com', 'smtp.ionos.com', 'imap.ionos.com', { mx: words('ionos.com 1and1.com') }),
  provider('STRATO', 'strato.de', 'smtp.strato.de', 'imap.strato.de', { mx: words('rzone.de strato.de') }),
  provider('Hostinger', 'hostinger.com', 'smtp.hostinger.com', 'imap.hostinger.com', {
    mx: ['hostinger.com'],
  }),
  provider('OVHcloud', 'ovh.net ovh.com', 'ssl0.ovh.net', 'ssl0.ovh.net', { mx: ['mail.ovh.net'] }),
  provider(
    'Infomaniak',
    'ik.me ikmail.com etik.com infomaniak.com',
    'mail.infomaniak.com',
    'mail.infomaniak.com',
    {
      hint: 'Infomaniak wants a password made for this program: Mail → Settings → Devices.',
      mx: ['infomaniak.ch'],
    },
  ),
  provider(
    'Proton Mail',
    'proton.me protonmail.com protonmail.ch pm.me',
    '127.0.0.1:1025',
    '127.0.0.1:1143',
    {
      plain: true,
      hint: 'Proton Mail needs Proton Mail Bridge on the machine where Howl runs. Use the user name and the password that Bridge shows.',
      mx: ['protonmail.ch'],
    },
  ),
  provider('Orange', 'orange.fr wanadoo.fr', 'smtp.orange.fr', 'imap.orange.fr'),
  provider('Free', 'free.fr', 'smtp.free.fr', 'imap.free.fr', { username: 'local part' }),
  provider('Libero', 'libero.it iol.it inwind.it blu.it giallo.it', 'smtp.libero.it', 'imapmail.libero.it', {
    hint: 'With two-factor sign-in Libero wants a password made for this program (password specifica).',
  }),
  provider('Mail.ru', 'mail.ru bk.ru list.ru inbox.ru internet.ru', 'smtp.mail.ru', 'imap.mail.ru', {
    hint: appPassword('Mail.ru', 'Settings → Security → Passwords for external applications'),
  }),
  provider(
    'Yandex Mail',
    'yandex.com yandex.ru ya.ru yandex.by yandex.kz',
    'smtp.yandex.com',
    'imap.yandex.com',
    {
      hint: `${appPassword('Yandex', 'Yandex ID → Security → App passwords')} Allow IMAP in the mail settings too.`,
      mx: words('mx.yandex.net mx.yandex.ru'),
    },
  ),
  provider('Naver', 'naver.com', 'smtp.naver.com', 'imap.naver.com', {
    username: 'local part',
    hint: 'Allow IMAP/SMTP in the Naver mail settings first; with two-step sign-in use an app password.',
  }),
  provider('QQ Mail', 'qq.com foxmail.com', 'smtp.qq.com', 'imap.qq.com', {
    hint: 'QQ wants an authorization code instead of your password: Settings → Account → IMAP/SMTP.',
  }),
  provider('NetEase 163', '163.com', 'smtp.163.com', 'imap.163.com', { hint: NETEASE_HINT }),
  provider('NetEase 126', '126.com', 'smtp.126.com', 'imap.126.com', { hint: NETEASE_HINT }),
  provider('Rediffmail', 'rediffmail.com', 'smtp.rediffmail.com', 'imap.rediffmail.com'),
  provider('BT Mail', 'btinternet.com btopenworld.com', 'mail.btinternet.com', 'mail.btinternet.com'),
  provider('UOL', 'uol.com.br bol.com.br', 'smtps.uol.com.br', 'imap.uol.com.br'),
]

/** The provider that owns this domain. */
export function providerOfDomain(domain: string): Provider | undefined {
  const name = domain.toLowerCase()
  return PROVIDERS.find((provider) => provider.domains.includes(name))
}

/** The provider that handles a domain's mail, by the hosts of its MX records. */
export function providerOfMx(hosts: readonly string[]): Provider | undefined {
  const names = hosts.map((host) => host.toLowerCase().replace(/\.$/, ''))
  return PROVIDERS.find((provider) =>
    provider.mx?.some((end) => names.some((name) => name === end || name.endsWith(`.${end}`))),
  )
}
