import { MAIL, MEETING, type Rule, rule, rules, wish, wishes } from './rule.ts'

const TASK = '(?:task|to-?do)'
const PRIORITY = String.raw`(?:(?<priority>high|low|medium)[\s-]priority\s+)?`
const DONE = '(?:done|finished|sent|ordered|called|bought|paid|complete|completed)'

const TASKS: readonly Rule[] = [
  ...wishes(
    'complete_task',
    String.raw`(?:complete|finish|tick off|check off|cross off|close)\s+(?:the |my )?${TASK}?\s*(?<what>.+)$`,
    String.raw`mark\s+(?:the |my )?${TASK}?\s*(?<what>(?!it\b|that\b|this\b).+?)\s+(?:as )?(?:done|complete|completed|finished)\b`,
  ),
  rule(
    'complete_task',
    String.raw`^(?<what>.{2,80}?)\s+(?:is|are|was|has been)\s+${DONE}\s*[,;.-]+\s*(?:please\s+)?(?:mark|tick|check|cross)\s+(?:it|that|this)\b`,
  ),
  ...wishes(
    'add_task',
    String.raw`(?:add|put|write|note)(?:\s+(?:this|that|it))?\s+(?:to|on)\s+(?:my|the|our)\s+(?:${TASK}s?\s*)?(?:list)?\s*[:,-]\s*(?<what>.+)$`,
    String.raw`(?:note to self|to-?do|don't let me forget)(?:\s*[:,-]\s*|\s+to\s+)(?<what>.+)$`,
    String.raw`(?:add|create|make|set up|set|note|new|give)\s*(?:me\s+)?(?:an?\s+|another\s+)?(?:new\s+)?${PRIORITY}(?:${TASK}|reminder)\b[:,]?\s*(?:to\s+|that\s+i\s+|for me to\s+)?(?<what>.+)$`,
    String.raw`remind me\s+(?:to\s+|that\s+|about\s+)?(?<what>.+)$`,
    String.raw`(?:add|put)\s+(?<what>.+?)\s+(?:to|on)\s+(?:my\s+)?(?:${TASK})s?(?:\s*list)?\b`,
  ),
]

const STOP = "(?:stop (?:all )?|do not |don't |never )"
const MAILING =
  '(?:mailing|e-?mailing|writing to|writing|sending (?:e-?)?mails? to|mails? to|e-?mails? to|e-?mail|mail|write to|write)'
const FIELD = String.raw`(?<field>name|e-?mail(?: address)?|address|company|position|job title|title|phone(?: number)?|mobile(?: number)?|number|status|notes?)`
const MAILS = String.raw`(?:e-?mails?|mails?|messages?|newsletters?)`

const CONTACTS: readonly Rule[] = [
  ...wishes(
    'stop_mailing',
    String.raw`(?:${STOP}${MAILING}|unsubscribe|block)\s+(?<who>.+?)(?:\s+(?:again|any ?more))?$`,
    String.raw`(?:take|remove)\s+(?<who>.+?)\s+(?:off|from)\s+(?:the|my|our)\s+(?:mailing |e-?mail |mail )?list$`,
  ),
  rule(
    'stop_mailing',
    String.raw`^(?!who\b|what\b|which\b|how\b|why\b|i\b|we\b)(?<who>.{1,60}?)\s+(?:doesn't|does not|don't)\s+want\s+(?:to (?:get|receive)\s+)?any\s*(?:more\s+)?(?:of )?(?:our |my )?${MAILS}`,
  ),
  ...wishes(
    'change_contact',
    String.raw`(?:change|set|update)\s+(?:the\s+)?${FIELD}\s+(?:of|for)\s+(?<who>.+?)\s+to\s+(?<value>.+)$`,
    String.raw`(?:change|set|update)\s+(?<who>.+?)(?:'s)?\s+${FIELD}\s+to\s+(?<value>.+)$`,
  ),
  ...rules(
    'change_contact',
    String.raw`^(?!what\b|who\b|when\b|which\b|how\b|is\b)(?<who>.{1,60}?)(?:'s)?\s+(?:new\s+)?${FIELD}\s+(?:is now|has changed to|changed to|now is|now)\s+(?<value>\S.*)$`,
    String.raw`^(?!what\b|who\b|when\b|which\b|how\b|is\b)(?<who>.{1,60}?)\s+has\s+a\s+new\s+${FIELD}\s*[,:]\s*(?:it's\s+)?(?<value>\S.*)$`,
  ),
]

const ADDING: readonly Rule[] = [
  ...wishes(
    'add_contact',
    String.raw`(?:add|create|save|make|new)\s+(?:an?\s+)?(?:new\s+)?contact\b[:,]?\s*(?:for\s+|named\s+|called\s+)?(?<what>.*)$`,
    String.raw`(?:add|save)\s+(?<what>.*\S@\S+.*?)(?:\s+(?:to|as)\s+(?:my\s+|an?\s+)?contacts?)?$`,
  ),
]

const TIMED = String.raw`(?=.*(?:\d|\bnoon\b|day\b|\btomorrow\b))`

const MOVING: readonly Rule[] = [
  wish(
    'move_meeting',
    String.raw`(?:move|reschedule|postpone|push back|push|shift|bring forward)\s+(?:the |my |our )?(?<what>.+)$`,
  ),
]
const MEETINGS: readonly Rule[] = [
  ...wishes(
    'schedule_meeting',
    String.raw`(?:book|pencil|squeeze|fit)\s+(?<person>(?!an?\b).{1,60}?)\s+in\s+${TIMED}`,
    String.raw`(?:schedule|book|arrange|set up|plan|add|create|make|put|fix|have)\b.{0,60}\b(?<kind>${MEETING})\b`,
    String.raw`(?:meet|a meeting|meeting|call|have lunch|phone)\s+with\s+.+(?:\bat\b|\bon\b|\btomorrow\b|\btoday\b|day\b)`,
    String.raw`(?:schedule|book)\s+.+\bwith\b`,
    String.raw`(?:book|schedule)\s+(?<person>(?!an?\b).{1,60}?)\s+(?:for|on|at)\s+${TIMED}`,
  ),
]

const SUM = String.raw`(?<sum>(?:[$€£₹¥]\s*|[A-Z]{3}\s+)?\d.*)`
const INVOICES: readonly Rule[] = [
  ...wishes(
    'draft_invoice',
    String.raw`(?:draft|create|make|write|prepare|new|send|issue|bill)\s+(?:an?\s+|the\s+)?(?:new\s+|draft\s+(?:of an\s+)?)?invoice\b\s*(?<what>.*)$`,
    String.raw`(?:invoice|bill|charge)\s+(?<whom>(?!for\b|to\b)[^\d$€£₹¥]{1,60}?)\s+(?:for\s+)?${SUM}$`,
  ),
]

const FOLLOW = String.raw`follow[- ]?up`
const ARTICLE = String.raw`(?:an?\s+|the\s+|another\s+)?`
const SAYING = String.raw`(?:,|:|\s+(?:saying|that|with))`

const MAILS_TO_SEND: readonly Rule[] = [
  ...wishes(
    'follow_up',
    String.raw`(?:write|draft|send|make|prepare)\s+${ARTICLE}${FOLLOW}(?:\s+${MAIL})?\s+(?:to|for|with)\s+(?<who>.+)$`,
    String.raw`${FOLLOW}\s+(?:with|to|on)\s+(?<who>.+)$`,
    String.raw`(?:chase|nudge)(?:\s+up)?\s+(?<who>.+)$`,
    String.raw`send\s+(?<who>(?!an?\b|the\b).{1,60}?)\s+${ARTICLE}(?:${FOLLOW}|nudge|reminder)(?:\s+${MAIL})?$`,
  ),
  ...wishes(
    'send_reply',
    String.raw`(?:reply|answer|respond)\s+(?:to\s+)?(?<who>.+?)(?:${SAYING}\s+(?:that\s+)?(?<body>.+))?$`,
    String.raw`(?:write|draft|send)\s+${ARTICLE}(?:reply|answer|response)\s+to\s+(?<who>.+?)(?:${SAYING}\s+(?:that\s+)?(?<body>.+))?$`,
  ),
]

const WRITE = String.raw`(?<verb>e-?mail|mail|write(?:\s+to)?|message)`
const SENDING: readonly Rule[] = [
  ...wishes(
    'send_email',
    String.raw`(?<verb>write|draft|send|compose)\s+${ARTICLE}(?:draft\s+)?(?:${MAIL}\s+)?to\s+(?<who>.+?)(?:\s+about\s+(?<about>.+?))?(?:(?:,|:|\s+(?:saying|that says|to say))\s*(?:that\s+)?(?<body>.+))?$`,
    String.raw`(?<verb>draft|write|send|e-?mail|mail)\s+(?<who>(?!to\b)[^\s:,].*?)\s+(?:an?\s+${MAIL}\s+)?(?:about\s+(?<about>.+?)|saying\s+(?:that\s+)?(?<body>.+))$`,
    String.raw`${WRITE}\s+(?<who>[^:]{1,60}?)(?:\s*:\s*|\s+(?:and|to)\s+(?:tell|let)\s+(?:him|her|them)\s+(?:know\s+)?(?:that\s+)?)(?<body>.+)$`,
    String.raw`${WRITE}\s+(?<who>.{1,60}?)\s+(?:and\s+|to\s+)?ask(?:ing)?\s+(?:(?:him|her|them)\s+)?(?<ask>(?:if|whether|for|when|what|how|where|about)\b.+)$`,
    String.raw`(?<verb>ask)\s+(?<who>(?!me\b|for\b|about\b).{1,60}?)\s+(?<ask>(?:if|whether)\b.+)$`,
    String.raw`(?<verb>tell|let)\s+(?<who>(?!me\b|us\b)\S+)\s+(?:know\s+)?(?:that\s+)?(?<body>(?!about\b|to\b)\S+\s+\S.*)$`,
    String.raw`(?<verb>e-?mail|mail|write(?:\s+to)?)\s+(?!from\b|about\b|with\b)(?<who>.+)$`,
  ),
]

/** What somebody wants done. A wish names what it is for; each becomes a proposal. */
export const RULES_OF_WISHES: readonly Rule[] = [
  ...TASKS,
  ...CONTACTS,
  ...MOVING,
  ...INVOICES,
  ...MAILS_TO_SEND,
  ...MEETINGS,
  ...ADDING,
  ...SENDING,
]
