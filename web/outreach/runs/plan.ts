import type { ReplyOf } from '#contract/platform/endpoint.ts'
import type { MailAccount } from '#contract/mail/mailboxes.ts'
import type { outreach } from '#contract/outreach/runs.ts'
import { counted, durationText } from './run-text.ts'
import { askedTemplate, type WrittenFrom } from './written-from.ts'

export type Estimate = ReplyOf<typeof outreach.estimate>

/** The account that a run would use, and its server, if that is known. */
type Sender = Pick<MailAccount, 'id' | 'address'> & { host: string }

/** What a run would do, the account it would use, if that is known, and all that it could use. */
export type Plan = {
  estimate: Estimate
  mailbox: Sender | null
  senders: readonly MailAccount[]
  /** What the user wants it to be written from. */
  from: WrittenFrom
  /** Whether it is to go over days, where the user has chosen. */
  spread?: boolean
}

/** One line of the confirmation. */
export type PlanLine = { name: string; text: string; more?: string }

/** Whether a run is to go over days; undefined where that need not be chosen. */
export const isSpreadBy = ({ estimate, spread }: Pick<Plan, 'estimate' | 'spread'>): boolean | undefined =>
  estimate.spread === null ? undefined : (spread ?? estimate.spread.selected)

/** The part of a run's body that says so. */
export function askedSpread(plan: Pick<Plan, 'estimate' | 'spread'>): { spread?: boolean } {
  const isSpread = isSpreadBy(plan)
  return isSpread === undefined ? {} : { spread: isSpread }
}

/** The action, for the title and the button. */
export const actionOf = ({ to_send }: Estimate): string => `Send to ${counted(to_send, 'contact')}`

/** What the user should know before anything is sent; the mailbox only where there is no choice of it. */
export function linesOf(plan: Pick<Plan, 'estimate' | 'mailbox' | 'spread'>, isChoice = false): PlanLine[] {
  const { estimate, mailbox } = plan
  return [
    ...(isChoice ? [] : [mailboxLine(estimate, mailbox)]),
    { name: 'Text', ...textOf(estimate) },
    ...(estimate.edited === 0
      ? []
      : [{ name: 'Changed', text: `${counted(estimate.edited, 'email')}, by you` }]),
    ...(skippedOf(estimate) === null ? [] : [{ name: 'Left out', text: skippedOf(estimate) ?? '' }]),
    ...(estimate.seconds === null || isSpreadBy(plan) === true
      ? []
      : [{ name: 'Takes', text: capital(durationText(estimate.seconds)) }]),
    ...(estimate.tokens === 0
      ? []
      : [
          {
            name: 'Cost',
            text: `About ${estimate.tokens.toLocaleString('en')} tokens of your language model`,
          },
        ]),
  ]
}

function mailboxLine({ practice }: Estimate, mailbox: Sender | null): PlanLine {
  if (practice) {
    return { name: 'Mailbox', text: 'Practice mailbox', more: 'Nothing leaves Howl. Invented people answer.' }
  }
  return {
    name: 'Mailbox',
    text: mailbox?.address || 'Your own email account',
    more: `${mailbox?.host ? `Through ${mailbox.host}. ` : ''}These are real emails to real people.`,
  }
}

function textOf({ uses_model, model, template, has_brief }: Estimate): Pick<PlanLine, 'text' | 'more'> {
  if (template !== null) return { text: `Your template “${template.name}”, filled in for each contact` }
  if (uses_model) {
    return {
      text: `Written for each contact by ${model ?? 'your language model'}`,
      more: has_brief
        ? 'From what you said in “About you”. If that fails, those words are used as they are.'
        : 'If that fails, the template is used.',
    }
  }
  if (has_brief) {
    return {
      text: 'What you said in “About you”, filled in for each contact',
      more: 'No language model is set up.',
    }
  }
  return {
    text: 'Howl’s template, filled in for each contact',
    more: 'First name, company and position. No language model is set up.',
  }
}

/** A plan for another account; until its estimate is there, that of before stands. */
export function planFrom(plan: Plan, mailboxId: number): Plan {
  const account = plan.senders.find(({ id }) => id === mailboxId)
  if (account === undefined) return plan
  const host = account.id === plan.mailbox?.id ? plan.mailbox.host : ''
  // How the emails go was chosen for the other address.
  const { spread: _, ...rest } = plan
  return { ...rest, mailbox: { id: account.id, address: account.address, host } }
}

/**
 * The body of the call that starts the run: it names the account that was shown, so that nothing leaves through another one
 * when practice has ended meanwhile, or another account is the default.
 */
export function runBody(
  plan: Pick<Plan, 'mailbox' | 'from'> | null,
): { mailbox_id?: number; template_id?: number } | undefined {
  if (plan === null) return undefined
  const body = {
    ...(plan.mailbox === null ? {} : { mailbox_id: plan.mailbox.id }),
    ...askedTemplate(plan.from),
  }
  return Object.keys(body).length === 0 ? undefined : body
}

/** Who gets no mail and why; null if everybody gets one. */
export function skippedOf({
  contacts,
  to_send,
  already_mailed,
  declined,
  suppressed,
  invalid,
  left_out,
  with_gap,
}: Estimate): string | null {
  const reasons = [
    ...(already_mailed > 0 ? [`${already_mailed.toLocaleString('en')} emailed before`] : []),
    ...(declined > 0 ? [`${declined.toLocaleString('en')} said no`] : []),
    ...(suppressed > 0
      ? [`${suppressed.toLocaleString('en')} unsubscribed, bounced or on your do-not-mail list`]
      : []),
    ...(invalid > 0 ? [`${invalid.toLocaleString('en')} without a valid address`] : []),
    ...(left_out > 0 ? [`${left_out.toLocaleString('en')} left out by you`] : []),
    ...(with_gap > 0 ? [`${with_gap.toLocaleString('en')} with a gap in the template`] : []),
  ]
  if (reasons.length === 0) return null
  return `${(contacts - to_send).toLocaleString('en')} of ${counted(contacts, 'contact')}: ${reasons.join(', ')}`
}

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
