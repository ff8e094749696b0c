import { paths } from '#web/platform/paths.ts'

/** The addresses of the tabs of outreach. Each tab may have pages below its own. */
export const outreachPaths = {
  sequences: `${paths.outreach}/sequences`,
  templates: `${paths.outreach}/templates`,
  followUps: `${paths.outreach}/follow-ups`,
  upcoming: `${paths.outreach}/upcoming`,
  aboutYou: `${paths.outreach}/about-you`,
} as const

/** The tabs, in order; the first is shown at `/outreach`. */
export const OUTREACH_TABS = [
  { label: 'Sequences', to: outreachPaths.sequences },
  { label: 'Templates', to: outreachPaths.templates },
  { label: 'Follow-ups', to: outreachPaths.followUps },
  { label: 'Upcoming', to: outreachPaths.upcoming },
  { label: 'About you', to: outreachPaths.aboutYou },
] as const
