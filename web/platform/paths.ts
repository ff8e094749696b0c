/** Every address of the web app. Links use these and never spell out a path. */
export const paths = {
  home: '/',
  login: '/login',
  resetPassword: '/reset-password',
  dashboard: '/dashboard',
  contacts: '/contacts',
  contact: '/contacts/:id',
  emails: '/emails',
  meetings: '/meetings',
  invoices: '/invoices',
  invoiceList: '/invoices/all',
  recurringInvoices: '/invoices/recurring',
  invoiceSettings: '/invoices/settings',
  paymentReminders: '/invoices/reminders',
  invoice: '/invoices/:id',
  /** The frame of its tabs, whose addresses are in `outreach/outreach-tabs.ts`. */
  outreach: '/outreach',
  assistant: '/simon',
  assistantByName: '/wolfy',
  pricing: '/pricing',
  profile: '/profile',
  deleteAccount: '/delete-account',
  terms: '/terms',
  privacy: '/privacy',
  returns: '/returns',
  unsubscribe: '/unsubscribe/:token',
  /** A customer's link to an invoice; the server writes it too. */
  sharedInvoice: '/i/:token',
  confirmEmail: '/confirm-email',
  /** A mail provider sends the browser back here; the server knows this address too. */
  connectMailbox: '/connect-mailbox',
  adminLogin: '/admin-login',
  secureAdminLogin: '/secure-admin-login',
  admin: '/wolf-admin-secure-2024',
  adminFeedback: '/wolf-admin-secure-2024/feedback',
  adminSystem: '/wolf-admin-secure-2024/system',
  secureAdmin: '/secure-admin-dashboard',
  /** The link that Howl prints at its first start; the server writes it too. */
  claim: '/claim',
  /** The server redirects to the community chat that its operator configured. */
  community: '/community',
} as const

/**
 * The entries of the top navigation, in order. `rank` is their order in the phone's bottom bar, which has room for
 * five.
 */
export const navEntries = [
  { label: 'Dashboard', path: paths.dashboard, icon: 'home', rank: 1 },
  { label: 'Contact', path: paths.contacts, icon: 'people', rank: 3 },
  { label: 'Email', path: paths.emails, icon: 'mail', rank: 2 },
  { label: 'Meeting', path: paths.meetings, icon: 'calendar', rank: 4 },
  { label: 'Invoice', path: paths.invoices, icon: 'invoice', rank: 6 },
  { label: 'Wolfy', path: paths.assistant, icon: 'wolf', rank: 5 },
  { label: 'Pricing', path: paths.pricing, icon: 'tag', rank: 7 },
] as const
export type NavEntry = Omit<(typeof navEntries)[number], 'path'> & { path: string }

export const legalLinks = [
  { label: 'Terms', path: paths.terms },
  { label: 'Privacy', path: paths.privacy },
  { label: 'Returns', path: paths.returns },
] as const
