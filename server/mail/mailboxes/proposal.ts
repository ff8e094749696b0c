import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { mailboxSetup } from '#contract/mail/mailbox-setup.ts'
import type { Provider } from './providers.ts'

/** Hosts and ports for the form. */
export type Proposal = Omit<ReplyOf<typeof mailboxSetup.discover>, 'oauth'>

export const NOTHING_FOUND: Proposal = {
  source: 'none',
  provider: null,
  hint: null,
  smtp_host: null,
  smtp_port: null,
  smtp_use_tls: true,
  imap_host: null,
  imap_port: null,
  imap_use_ssl: true,
  username: null,
}

/** What our table says about the provider, for one address. */
export function proposalOf(provider: Provider, address: string): Proposal {
  const encrypted = provider.plain !== true
  return {
    source: 'table',
    provider: provider.name,
    hint: provider.hint ?? null,
    smtp_host: provider.smtp[0],
    smtp_port: provider.smtp[1],
    smtp_use_tls: encrypted,
    imap_host: provider.imap[0],
    imap_port: provider.imap[1],
    imap_use_ssl: encrypted,
    username: provider.username === 'local part' ? address.slice(0, address.lastIndexOf('@')) : address,
  }
}
