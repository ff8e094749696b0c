/** Days over which bounces and complaints are counted. */
export const FIGURES_DAYS = 7
/** With fewer mails a single bounce would stop an account. */
const MAILS_MIN = 100
const BOUNCES_PERCENT = 5
const COMPLAINTS_PERCENT = 0.1
const COMPLAINTS_MIN = 3
/** Reports that nothing proves, and those that may get a user banned, count from so many domains of recipients on: one person may be behind fewer. */
export const RECIPIENT_DOMAINS_MIN = 3

/** What became of an account's automatic mails of the last days. */
export type Figures = { mails: number; bounces: number; complaints: number }

/** True if an account with these figures harms its own name, so that its automatic mail has to stand still. */
export function areBad({ mails, bounces, complaints }: Figures): boolean {
  if (mails < MAILS_MIN) return false
  return (
    bounces * 100 >= mails * BOUNCES_PERCENT ||
    (complaints >= COMPLAINTS_MIN && complaints * 100 >= mails * COMPLAINTS_PERCENT)
  )
}

/** Why an account stands still, as its owner reads it. */
export function sayFigures({ mails, bounces, complaints }: Figures): string {
  const parts = [
    bounces > 0 ? `${bounces} came back` : '',
    complaints > 0 ? `${complaints} ${complaints === 1 ? 'was' : 'were'} reported as spam` : '',
  ].filter((part) => part !== '')
  return `Of the last ${mails} automatic emails from this address, ${parts.join(' and ')}.`
}
