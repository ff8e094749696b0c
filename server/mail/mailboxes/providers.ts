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

/** The most common providers. Source: their own help pages. */
export const PROVIDERS: readonly Provider[] = [
  {
    name: 'Gmail',
    domains: ['gmail.com', 'googlemail.com'],
    smtp: ['smtp.gmail.com', 465],
    imap: ['imap.gmail.com', 993],
    hint: GOOGLE_HINT,
  },
  {
    name: 'Google Workspace',
    domains: [],
    smtp: ['smtp.gmail.com', 465],
    imap: ['imap.gmail.com', 993],
    hint: GOOGLE_HINT,
    mx: ['google.com', 'googlemail.com'],
  },
  {
    name: 'Outlook',
    domains: [
      'outlook.com',
      'outlook.de',
      'outlook.fr',
      'outlook.es',
      'outlook.it',
      'outlook.in',
      'hotmail.com',
      'hotmail.co.uk',
      'hotmail.de',
      'hotmail.fr',
      'hotmail.it',
      'live.com',
      'live.co.uk',
      'live.de',
      'live.fr',
      'msn.com',
    ],
    smtp: ['smtp-mail.outlook.com', 587],
    imap: ['outlook.office365.com', 993],
    hint: MICROSOFT_HINT,
  },
  {
    name: 'Microsoft 365',
    domains: [],
    smtp: ['smtp.office365.com', 587],
    imap: ['outlook.office365.com', 993],
    hint: MICROSOFT_HINT,
    mx: ['mail.protection.outlook.com', 'mx.microsoft'],
  },
  {
    name: 'Yahoo Mail',
    domains: [
      'yahoo.com',
      'yahoo.co.uk',
      'yahoo.co.in',
      'yahoo.in',
      'yahoo.de',
      'yahoo.fr',
      'yahoo.it',
      'yahoo.es',
      'yahoo.ca',
      'yahoo.com.au',
      'yahoo.com.br',
      'ymail.com',
      'rocketmail.com',
    ],
    smtp: ['smtp.mail.yahoo.com', 465],
    imap: ['imap.mail.yahoo.com', 993],
    hint: appPassword('Yahoo', 'Account security → Generate app password'),
  },
  {
    name: 'AOL',
    domains: ['aol.com', 'aol.de', 'aol.co.uk', 'aim.com'],
    smtp: ['smtp.aol.com', 465],
    imap: ['imap.aol.com', 993],
    hint: appPassword('AOL', 'Account security → Generate app password'),
  },
  {
    name: 'iCloud Mail',
    domains: ['icloud.com', 'me.com', 'mac.com'],
    smtp: ['smtp.mail.me.com', 587],
    imap: ['imap.mail.me.com', 993],
    hint: appPassword('Apple', 'account.apple.com → Sign-In and Security → App-Specific Passwords'),
    mx: ['mail.icloud.com'],
  },
  {
    name: 'Fastmail',
    domains: ['fastmail.com', 'fastmail.fm', 'messagingengine.com'],
    smtp: ['smtp.fastmail.com', 465],
    imap: ['imap.fastmail.com', 993],
    hint: appPassword('Fastmail', 'Settings → Privacy & Security → Connected apps & API tokens'),
    mx: ['messagingengine.com'],
  },
  {
    name: 'Zoho Mail',
    domains: ['zoho.com', 'zohomail.com'],
    smtp: ['smtp.zoho.com', 465],
    imap: ['imap.zoho.com', 993],
    hint: 'Switch IMAP access on in Zoho Mail (Settings → Mail Accounts → IMAP). With two-factor sign-in you need an app password.',
    mx: ['zoho.com'],
  },
  {
    name: 'Zoho Mail (Europe)',
    domains: ['zoho.eu', 'zohomail.eu'],
    smtp: ['smtp.zoho.eu', 465],
    imap: ['imap.zoho.eu', 993],
    hint: 'Switch IMAP access on in Zoho Mail (Settings → Mail Accounts → IMAP). With two-factor sign-in you need an app password.',
    mx: ['zoho.eu'],
  },
  {
    name: 'GMX',
    domains: ['gmx.de', 'gmx.net', 'gmx.at', 'gmx.ch'],
    smtp: ['mail.gmx.net', 465],
    imap: ['imap.gmx.net', 993],
    hint: 'Allow access by other programs first: GMX → Settings → POP3/IMAP.',
  },
  {
    name: 'GMX',
    domains: ['gmx.com', 'gmx.co.uk', 'gmx.us', 'gmx.fr'],
    smtp: ['mail.gmx.com', 465],
    imap: ['imap.gmx.com', 993],
    hint: 'Allow access by other programs first: GMX → Settings → POP3 & IMAP.',
  },
  {
    name: 'WEB.DE',
    domains: ['web.de', 'email.de'],
    smtp: ['smtp.web.de', 587],
    imap: ['imap.web.de', 993],
    hint: 'Allow access by other programs first: WEB.DE → Einstellungen → POP3/IMAP.',
  },
  {
    name: 'T-Online',
    domains: ['t-online.de', 'magenta.de'],
    smtp: ['securesmtp.t-online.de', 465],
    imap: ['secureimap.t-online.de', 993],
    hint: 'T-Online wants its separate password for email programs, set in the customer centre.',
  },
  {
    name: 'freenet',
    domains: ['freenet.de'],
    smtp: ['mx.freenet.de', 587],
    imap: ['mx.freenet.de', 993],
  },
  {
    name: 'Posteo',
    domains: ['posteo.de', 'posteo.net', 'posteo.org', 'posteo.eu', 'posteo.at', 'posteo.ch'],
    smtp: ['posteo.de', 465],
    imap: ['posteo.de', 993],
  },
  {
    name: 'mailbox.org',
    domains: ['mailbox.org'],
    smtp: ['smtp.mailbox.org', 465],
    imap: ['imap.mailbox.org', 993],
    mx: ['mailbox.org'],
  },
  {
    name: 'IONOS',
    domains: ['ionos.de', 'ionos.com', 'online.de', 'onlinehome.de', '1und1.de'],
    smtp: ['smtp.ionos.de', 465],
    imap: ['imap.ionos.de', 993],
    mx: ['kundenserver.de', 'ionos.de'],
  },
  {
    name: 'IONOS',
    domains: ['1and1.com'],
    smtp: ['smtp.ionos.com', 465],
    imap: ['imap.ionos.com', 993],
    mx: ['ionos.com', '1and1.com'],
  },
  {
    name: 'STRATO',
    domains: ['strato.de'],
    smtp: ['smtp.strato.de', 465],
    imap: ['imap.strato.de', 993],
    mx: ['rzone.de', 'strato.de'],
  },
  {
    name: 'Hostinger',
    domains: ['hostinger.com'],
    smtp: ['smtp.hostinger.com', 465],
    imap: ['imap.hostinger.com', 993],
    mx: ['hostinger.com'],
  },
  {
    name: 'OVHcloud',
    domains: ['ovh.net', 'ovh.com'],
    smtp: ['ssl0.ovh.net', 465],
    imap: ['ssl0.ovh.net', 993],
    mx: ['mail.ovh.net'],
  },
  {
    name: 'Infomaniak',
    domains: ['ik.me', 'ikmail.com', 'etik.com', 'infomaniak.com'],
    smtp: ['mail.infomaniak.com', 465],
    imap: ['mail.infomaniak.com', 993],
    hint: 'Infomaniak wants a password made for this program: Mail → Settings → Devices.',
    mx: ['infomaniak.ch'],
  },
  {
    name: 'Proton Mail',
    domains: ['proton.me', 'protonmail.com', 'protonmail.ch', 'pm.me'],
    smtp: ['127.0.0.1', 1025],
    imap: ['127.0.0.1', 1143],
    plain: true,
    hint: 'Proton Mail needs Proton Mail Bridge on the machine where Howl runs. Use the user name and the password that Bridge shows.',
    mx: ['protonmail.ch'],
  },
  {
    name: 'Orange',
    domains: ['orange.fr', 'wanadoo.fr'],
    smtp: ['smtp.orange.fr', 465],
    imap: ['imap.orange.fr', 993],
  },
  {
    name: 'Free',
    domains: ['free.fr'],
    smtp: ['smtp.free.fr', 465],
    imap: ['imap.free.fr', 993],
    username: 'local part',
  },
  {
    name: 'Libero',
    domains: ['libero.it', 'iol.it', 'inwind.it', 'blu.it', 'giallo.it'],
    smtp: ['smtp.libero.it', 465],
    imap: ['imapmail.libero.it', 993],
    hint: 'With two-factor sign-in Libero wants a password made for this program (password specifica).',
  },
  {
    name: 'Mail.ru',
    domains: ['mail.ru', 'bk.ru', 'list.ru', 'inbox.ru', 'internet.ru'],
    smtp: ['smtp.mail.ru', 465],
    imap: ['imap.mail.ru', 993],
    hint: appPassword('Mail.ru', 'Settings → Security → Passwords for external applications'),
  },
  {
    name: 'Yandex Mail',
    domains: ['yandex.com', 'yandex.ru', 'ya.ru', 'yandex.by', 'yandex.kz'],
    smtp: ['smtp.yandex.com', 465],
    imap: ['imap.yandex.com', 993],
    hint: `${appPassword('Yandex', 'Yandex ID → Security → App passwords')} Allow IMAP in the mail settings too.`,
    mx: ['mx.yandex.net', 'mx.yandex.ru'],
  },
  {
    name: 'Naver',
    domains: ['naver.com'],
    smtp: ['smtp.naver.com', 465],
    imap: ['imap.naver.com', 993],
    username: 'local part',
    hint: 'Allow IMAP/SMTP in the Naver mail settings first; with two-step sign-in use an app password.',
  },
  {
    name: 'QQ Mail',
    domains: ['qq.com', 'foxmail.com'],
    smtp: ['smtp.qq.com', 465],
    imap: ['imap.qq.com', 993],
    hint: 'QQ wants an authorization code instead of your password: Settings → Account → IMAP/SMTP.',
  },
  {
    name: 'NetEase 163',
    domains: ['163.com'],
    smtp: ['smtp.163.com', 465],
    imap: ['imap.163.com', 993],
    hint: 'NetEase wants an authorization code instead of your password: Settings → POP3/SMTP/IMAP.',
  },
  {
    name: 'NetEase 126',
    domains: ['126.com'],
    smtp: ['smtp.126.com', 465],
    imap: ['imap.126.com', 993],
    hint: 'NetEase wants an authorization code instead of your password: Settings → POP3/SMTP/IMAP.',
  },
  {
    name: 'Rediffmail',
    domains: ['rediffmail.com'],
    smtp: ['smtp.rediffmail.com', 465],
    imap: ['imap.rediffmail.com', 993],
  },
  {
    name: 'BT Mail',
    domains: ['btinternet.com', 'btopenworld.com'],
    smtp: ['mail.btinternet.com', 465],
    imap: ['mail.btinternet.com', 993],
  },
  {
    name: 'UOL',
    domains: ['uol.com.br', 'bol.com.br'],
    smtp: ['smtps.uol.com.br', 465],
    imap: ['imap.uol.com.br', 993],
  },
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
