import { Refusal } from '../../platform/errors.ts'
import { figuresOf } from '../tools/read-figures.ts'
import { shownWords } from '../tools/shown-words.ts'
import type { Asking } from '../tools/tool.ts'
import { type Answer, emptyAnswer, list } from './answer.ts'
import { answerCount } from './answer-count.ts'
import { answerFreeTimes, answerMeetings, answerToday } from './answer-calendar.ts'
import {
  answerConversation,
  answerFind,
  answerFindContact,
  answerMails,
  answerWhyNotMailed,
} from './answer-people.ts'
import { answerInvoices, answerRevenue } from './answer-invoices.ts'
import {
  answerHasReplied,
  answerReplied,
  answerUnanswered,
  answerWaiting,
  answerWhoWants,
} from './answer-replies.ts'
import { answerCannot, answerGreeting, answerPartly, answerThanks } from './answer-talk.ts'
import { answerTasks } from './answer-tasks.ts'
import { firstWish, inConversation } from './follow-up-question.ts'
import { nearestQuestions } from './nearest-questions.ts'
import {
  proposeContact,
  proposeContactChange,
  proposeFollowUp,
  proposeInvoice,
  proposeMail,
  proposeReply,
  proposeStop,
} from './propose-by-rules.ts'
import { proposeMeeting, proposeMove } from './propose-meeting-by-rules.ts'
import { proposeTask, proposeTaskDone } from './propose-task-by-rules.ts'
import { readQuestion } from './read-question.ts'
import type { RuleIntent } from './rule.ts'
import { unknownWords } from './unknown-words.ts'
import type { Subject } from './who.ts'
import type { RuleCall } from './rule-call.ts'

/** What Wolfy says of himself without a language model. */
export const BY_RULES = `I work by rules here, without a language model. I know your own data and can only propose: nothing is sent or changed before you approve it.

You can ask me:
- “What are my numbers?”, “How many emails did I send this week?”
- “Who has not replied?”, “Who is waiting for my answer?”, “Who is interested?”
- “Which tasks are due today?”, “What meetings do I have tomorrow?”, “When am I free on Friday?”
- “Find Ann”, “Emails from Ann about the offer”, “What did Ann say?”
- “Which invoices are overdue?”, “Has Ann paid?”, “How much did I invoice in May?”
- “Schedule a call with Ann on Friday at 3”, “Remind me to call Ann tomorrow”
- “Write a follow-up to Ann”, “Draft an invoice for Ann of 500 EUR for consulting”

What I cannot do: understand free text beyond such sentences, languages other than English, write a text of my own beyond templates, or judge what a mail means.`

const HANDLERS: Record<RuleIntent, (call: RuleCall) => Promise<void> | void> = {
  greeting: answerGreeting,
  thanks: answerThanks,
  cannot: answerCannot,
  help: ({ answer }) => void answer.lines.push(BY_RULES),
  figures: async ({ asking, answer }) => {
    const found = await figuresOf(asking, [
      'contacts',
      'sent',
      'replies',
      'unread',
      'meetings',
      'tasks',
      'invoices',
    ])
    list(answer, 'Your numbers now:', found, 'There is nothing to count yet.')
  },
  count: answerCount,
  revenue: answerRevenue,
  waiting: answerWaiting,
  replied: answerReplied,
  unanswered: answerUnanswered,
  has_replied: answerHasReplied,
  who_wants: answerWhoWants,
  why_not_mailed: answerWhyNotMailed,
  conversation: answerConversation,
  mails: answerMails,
  find_contact: answerFindContact,
  find: answerFind,
  invoices: answerInvoices,
  meetings: answerMeetings,
  free_times: answerFreeTimes,
  today: answerToday,
  tasks: answerTasks,
  add_task: proposeTask,
  complete_task: proposeTaskDone,
  schedule_meeting: proposeMeeting,
  move_meeting: proposeMove,
  add_contact: proposeContact,
  change_contact: proposeContactChange,
  stop_mailing: proposeStop,
  follow_up: proposeFollowUp,
  send_reply: proposeReply,
  send_email: proposeMail,
  draft_invoice: proposeInvoice,
}

/** These answer about everything at once: a word that they do not know would change the answer, so there is none. */
const WHOLE: ReadonlySet<RuleIntent> = new Set([
  'count',
  'figures',
  'free_times',
  'replied',
  'revenue',
  'today',
  'unanswered',
  'waiting',
  'who_wants',
])

/**
 * Answers a question without a language model. It never changes anything, and it is never empty: what the rules do not
 * understand they say.
 *
 * @param earlier what was asked before in the conversation, oldest first
 */
export async function answerByRules(
  asking: Asking,
  typed: string,
  subject: Subject,
  earlier: readonly string[],
): Promise<Answer> {
  const asked = inConversation(earlier, typed)
  const { first, rest } = firstWish(asked)
  const question = readQuestion(first)
  const answer = emptyAnswer(question.intent)
  if (asked !== typed) answer.lines.push(`I took this for “${shownWords(asked, 120)}”.`)
  const call = { asking, answer, question, subject }
  const unknown = WHOLE.has(question.intent) ? unknownWords(question.text) : []
  try {
    if (unknown.length > 0) answerPartly(call, unknown)
    else await HANDLERS[question.intent](call)
  } catch (error) {
    // What cannot be done is an answer too.
    if (!(error instanceof Refusal) || error.status >= 500) throw error
    answer.lines.push(error.message)
  }
  if (answer.prepared.length > 0) answer.lines.push('Nothing happens before you approve it.')
  if (rest !== '') {
    answer.lines.push(`I do one thing at a time. Ask me next: “${shownWords(rest, 200)}”.`)
    answer.suggestions.unshift(shownWords(rest, 200))
  }
  if (answer.lines.length === 0) answer.lines.push(BY_RULES)
  if (answer.suggestions.length === 0 && answer.prepared.length === 0)
    answer.suggestions.push(...nearestQuestions(question.text))
  return answer
}
