import { REMINDER_NAMES } from '#contract/invoicing/payment-reminders.ts'

/** Says which names are replaced. */
export function Names() {
  return <>Replaced when it leaves: {REMINDER_NAMES.map((name) => `{{${name}}}`).join(' ')}</>
}
