/** What the rules can take a question for. */
export const RULE_INTENTS = [
  'greeting',
  'thanks',
  'help',
  'cannot',
  'complete_task',
  'add_task',
  'stop_mailing',
  'change_contact',
  'move_meeting',
  'draft_invoice',
  'follow_up',
  'send_reply',
  'schedule_meeting',
  'add_contact',
  'send_email',
  'why_not_mailed',
  'unanswered',
  'has_replied',
  'waiting',
  'count',
  'revenue',
  'figures',
  'conversation',
  'invoices',
  'free_times',
  'meetings',
  'mails',
  'who_wants',
  'replied',
  'tasks',
  'today',
  'find_contact',
  'find',
] as const
export type RuleIntent = (typeof RULE_INTENTS)[number]

/** A kind of question, and how it is said. Named groups are words that the handler works on. */
export type Rule = readonly [RuleIntent, RegExp]

/** A rule from source text, read without regard to case. */
export const rule = (intent: RuleIntent, said: string): Rule => [intent, new RegExp(said, 'i')]

/** Several ways to say the same. */
export const rules = (intent: RuleIntent, ...ways: string[]): Rule[] => ways.map((said) => rule(intent, said))

/** How a wish begins. */
export const ASKING = String.raw`(?:(?:please|can you|could you|would you|will you|i want to|i need to|i would like to|i'd like to|let's|help me)\s+)*`
export const MAIL = '(?:e-?mail|mail|message|note|line)'
export const MEETING =
  '(?:meeting|call|appointment|video call|phone call|lunch|coffee|demo|catch-?up|session|interview|chat)'
export const ANYBODY = '(?:any ?(?:one|body)|some ?(?:one|body)|every ?(?:one|body)|no ?body|no one)'

/** A wish: its words behind "please" and the like. */
export const wish = (intent: RuleIntent, said: string): Rule => rule(intent, `^${ASKING}${said}`)
export const wishes = (intent: RuleIntent, ...ways: string[]): Rule[] =>
  ways.map((said) => wish(intent, said))
