import type { AccountInput } from '#contract/mail/mailbox-setup.ts'

type Server = { host?: string; port: number }
type Options = {
  login?: string
  password?: string
  from?: string
  /** Where its mail is read; `username` and `password` where they are not those of sending. */
  imap?: (Server & { username?: string; password?: string }) | undefined
}

/** An account on servers of the tests, as the form of the profile saves it: ada@muster.example, without TLS. */
export function mailAccountAt(
  smtp: Server,
  { login = 'ada', password = 'secret', from = `${login}@muster.example`, imap }: Options = {},
): AccountInput {
  return {
    smtp_host: smtp.host ?? '127.0.0.1',
    smtp_port: smtp.port,
    smtp_username: login,
    smtp_password: password,
    smtp_from: from,
    smtp_use_tls: false,
    ...(imap && {
      imap_host: imap.host ?? '127.0.0.1',
      imap_port: imap.port,
      imap_username: imap.username ?? login,
      imap_password: imap.password ?? password,
      imap_use_ssl: false,
    }),
  }
}
