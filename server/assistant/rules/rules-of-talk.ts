import { ASKING, type Rule, rule, rules } from './rule.ts'

const NAMED = String.raw`(?:\s+(?:there|wolfy|simon|all))?[\s,!.]*$`
const HELLO = '(?:hi|hiya|hello|hey|good (?:morning|afternoon|evening|day))'
const THANKS = '(?:many )?(?:thanks|thank you|cheers)'
const MUCH = '(?:a lot|so much|very much|wolfy|simon)'

/** Small talk, and questions about Wolfy himself. */
export const RULES_OF_TALK: readonly Rule[] = [
  rule('greeting', `^${HELLO}${NAMED}`),
  rule(
    'thanks',
    String.raw`^(?:(?:ok(?:ay)?|great|perfect|super|cool),?\s+)?${THANKS}(?:\s+${MUCH})*[\s!.]*$`,
  ),
  ...rules(
    'help',
    '^help(?: me)?$',
    String.raw`\bwhat (?:can|could|do) you do\b|\bwhat can i ask\b`,
    String.raw`\b(?:who|what) are you\b|\bhow do you work\b`,
    String.raw`\bare you (?:an? )?(?:real |actual )?(?:ai|robot|bot|model|human|person)\b`,
  ),
]

const TO_ALL =
  '(?:every ?one|every ?body|all (?:of )?(?:my |our |the )?(?:contacts|customers|clients|people))'
const MONEY =
  '(?:profit|margin|costs|expenses|loss(?:es)?|salary|salaries|wages|tax(?:es)?|vat|budget|cash ?flow)'
const CAME = '(?:call|called|phone|phoned|ring|rung|visit|visited|deliver|delivered|arrive|arrived|turn up)'
const AFTER = '(?:back|me|us|today|yesterday|yet|already|again)'
const ELSEWHERE = '(?:weather|rain|news(?! from)|recipe|joke|stock|traffic|exchange rate)'

const OTHER_DEEDS = '(?:forward|print|export|import|upload|attach)'

type Limit = { said: RegExp; answer: string; instead?: (text: string) => string }

/** What sounds like something that Howl knows or does, and is not; and what is said to it. The first that fits. */
export const CANNOT: readonly Limit[] = [
  {
    said: new RegExp(String.raw`^${ASKING}(?:call|ring|phone|text)\s+(?!with\b|off\b|me\b)\S`, 'i'),
    answer: 'I cannot call anybody. I can remind you, or put a call with a contact into your calendar.',
    instead: (text) => `Remind me to ${text}`,
  },
  {
    said: new RegExp(String.raw`^${ASKING}${OTHER_DEEDS}\b`, 'i'),
    answer: 'I cannot do this. You can do it on the page where it stands.',
  },
  {
    said: /^how (?:do|can|would) (?:i|you|we) (?!reach\b|contact\b|get hold\b|work\b)\w/i,
    answer: 'I cannot explain the pages of Howl: I know your own data only.',
  },
  {
    said: new RegExp(
      String.raw`^${ASKING}(?:delete|remove|erase|cancel|call off|scrap|undo)\b(?!.*\b(?:list|mailing)\b)`,
      'i',
    ),
    answer: 'I cannot delete, cancel or undo anything. You can do that on the page where it stands.',
  },
  {
    said: new RegExp(
      String.raw`^${ASKING}(?:send|write|e-?mail|mail|tell|message|text|invite)\b.*\b${TO_ALL}\b`,
      'i',
    ),
    answer: 'I cannot write to many at once, only to one contact at a time.',
  },
  {
    said: new RegExp(String.raw`\b${MONEY}\b(?=.*\b(?:we|i|our|my)\b)|^(?:how|what)\b.*\b${MONEY}\b`, 'i'),
    answer: 'I cannot know this: Howl has your invoices, but no costs and no taxes to pay.',
  },
  {
    said: new RegExp(String.raw`^(?:did|has|have)\s+(?!i\b|we\b).{1,60}\s${CAME}(?:\s+${AFTER})*$`, 'i'),
    answer: 'I cannot know this: Howl keeps mails, but no phone calls, visits or deliveries.',
  },
  {
    said: new RegExp(
      String.raw`\b${ELSEWHERE}\b|^${ASKING}translate\b|\bbest[- ]?sell\w*|\bmost popular\b`,
      'i',
    ),
    answer:
      'I cannot know this: I see your contacts, mails, meetings, tasks and invoices in Howl, and nothing else.',
  },
]

export const RULES_OF_LIMITS: readonly Rule[] = CANNOT.map(({ said }): Rule => ['cannot', said])
