import { ANYBODY, MAIL, MEETING, type Rule, rule, rules } from './rule.ts'

const NOT = String.raw`(?:\bnot\b|n't\b|\bnever\b|\bno\b|\byet to\b)`
const MAILED =
  '(?:e-?mailed|mailed|e-?mail|mail|written to|contacted|get(?:ting)? (?:any |my )?(?:e-?)?mails?)'
const THE_MAIL = '(?:the |any |my |our |an? )?(?:e-?mails?|mails?|message|newsletter)'
const HELPING = "(?:was|wasn't|were|has|hasn't|have|did|didn't|is|isn't|does|doesn't|do|can't i|can i not)"
const WRITE_BACK = '(?:answer|reply|respond|get back|write back)'
const WROTE_BACK =
  '(?:repl(?:y|ied)|answer(?:ed)?|respond(?:ed)?|react(?:ed)?|(?:write|written|wrote|get|got|come|came) back)'
const TO_ME = '(?:to me|to us|me|us|yet|already|so far)'
const PERSON = String.raw`(?!${ANYBODY}|all\b|i\b|we\b|you\b|the bank\b)(?<who>.{1,60}?)`

/** Who was mailed, who answered, and who waits. */
const SILENCE: readonly Rule[] = [
  ...rules(
    'why_not_mailed',
    String.raw`^why (?:did|does|has|hasn't|didn't|doesn't) (?<who>.{1,60}?)\s+(?:not )?(?:get|got|receive|received) ${THE_MAIL}`,
    String.raw`\bwhy\s+${HELPING}\s+(?:i\s+|we\s+)?(?<who>.+?)\s*(?:not\s+|n't\s+)?(?:been\s+)?${MAILED}`,
    String.raw`^(?:is|has|did|was) ${PERSON}\s+(?:been )?(?:unsubscribed?|bounced?|blocked|suppressed|opted out)$`,
    String.raw`^(?:can|may) (?:i|we) (?:still )?(?:e-?mail|mail|write to)\s+(?<who>.+)$`,
  ),
  ...rules(
    'unanswered',
    String.raw`\b(?:who|${ANYBODY})\b.{0,25}\bwait(?:s|ing)? (?:for|on) (?:me|us|my|an answer|a reply)\b`,
    String.raw`\b(?:who|whom|which mails?|what)\b.{0,12}\b(?:do|must|should|have)\b.{0,5}\b(?:i|we)\b.{0,25}\b${WRITE_BACK}`,
    String.raw`\b(?:who|${ANYBODY})\b.{0,12}\b(?:needs?|expects?|wants?) (?:an? )?(?:answer|reply|response)\b`,
    String.raw`\bunanswered\b|\b(?:have|did)(?:n't| not)? (?:i|we) (?:not )?(?:answered|answer|replied|reply)\b`,
  ),
  ...rules(
    'has_replied',
    String.raw`^(?:has|have|did)\s+${PERSON}\s+${WROTE_BACK}(?:\s+${TO_ME})*$`,
    String.raw`^(?:any (?:answer|reply|response|news|word)|have (?:i|we) heard(?: back)?) from ${PERSON}(?:\s+yet)?$`,
  ),
  ...rules(
    'waiting',
    String.raw`\bwho\b.{0,40}(?:${NOT}|\bstill\b).{0,20}\b(?:repl|answer|respond|writ|react|(?:get|got) back|(?:come|came) back)`,
    String.raw`\bwaiting for\b.{0,25}\b(?:repl(?:y|ies)|answers?|response)\b`,
    String.raw`\b(?:no|without|missing)\b.{0,25}\b(?:repl(?:y|ies)|answers?|responses?)\b.{0,20}(?:\bfrom\b|\byet\b|$)`,
    String.raw`\bsilent\b|\bgone quiet\b|\bwhom? (?:should|do|must|shall) i (?:follow-?\s?up|chase)`,
  ),
  ...rules(
    'who_wants',
    String.raw`^(?:whom?(?:'s|'re)?|which (?:contacts|customers|people)|${ANYBODY})\b.{0,20}\b(?<want>interested|said (?:no|yes)|says (?:no|yes)|declined|turned (?:me|us|it) down)\b`,
    String.raw`^(?:did |has |is |does )?(?:who|which (?:contacts|customers|people)|${ANYBODY})\b.{0,10}\b(?<want>ask(?:s|ed)?(?: me| us)? (?:a |any )?questions?|ha(?:s|ve|d) (?:a |any )?questions?|wants? (?:to meet|a meeting|a call)|(?:is |are )?(?:out of (?:the )?office|on holiday)|interested)\b`,
    '^any (?<want>questions?|interest)$',
  ),
]

const OUR_NUMBERS = '(?:my|the|our) (?:numbers|figures|stats|statistics|kpis?|metrics)'
const EARN =
  '(?:make|made|earn|earned|invoice|invoiced|bill|billed|sell|sold|take|taken|took|bring in|brought in)'
const SALES = '(?:revenue|turnover|sales|income|takings)'

const NUMBERS: readonly Rule[] = [
  ...rules(
    'invoices',
    String.raw`\bhow much\b.{0,30}\b(?:owes?|owed|owing|unpaid|outstanding|overdue)\b`,
    String.raw`\bhow much\b.{0,12}\bmoney\b.{0,20}\b(?:out there|open|due)\b`,
  ),
  rule('revenue', String.raw`\bhow much\b.{0,25}\b${EARN}\b|\b${SALES}\b`),
  ...rules(
    'count',
    String.raw`\bhow (?:many|much)\b|(?<!phone |mobile |tel |telephone )\bnumber of\b|\bresponse rate\b|\breply rate\b|\bcount (?:my|the|of)\b`,
    String.raw`^total \S+$`,
  ),
  ...rules(
    'figures',
    String.raw`\b${OUR_NUMBERS}\b|\boverview\b|\bbusiness (?:summary|numbers)\b`,
    String.raw`\bhow(?:'s| is| are| am) (?:my business|business|things|i doing|we doing)\b`,
    '^(?:numbers|figures|stats|statistics)(?: please)?$',
  ),
]

const TALK = '(?:conversation|thread|mails?|e-?mails?|correspondence|discussion)'
const OWING = String.raw`\bowes?\b|\bowed\b|\boutstanding\b|\bunpaid\b|\bdebtors?\b`
const FREE = '(?:free|available)'
const SEE = '(?:meet|meeting|see|seeing)'

const LISTS: readonly Rule[] = [
  ...rules(
    'conversation',
    String.raw`\b(?:summari[sz]e|sum up|recap|catch me up on)\b\s*(?:the\s+|this\s+|my\s+)?${TALK}?\s*(?:with\s+|from\s+|of\s+)?(?<who>.*)$`,
    String.raw`\bwhat (?:did|does|has)\s+(?!i\b|we\b)(?<who>.+?)\s+(?:say|said|write|written|wants?|ask|asked|reply|tell (?:me|us))\b`,
  ),
  rule('invoices', String.raw`\binvoices?\b|${OWING}|\bpaid\b|\bpay\b|\bpays\b|\bpayments?\b|\bbills?\b`),
  ...rules(
    'free_times',
    String.raw`\b(?:when|what times?|where)\b.{0,30}\b${FREE}\b|\bam i (?:${FREE}|busy)\b|\bavailability\b|\bdo i have time\b`,
    String.raw`\bfree (?:time|slot|hour)s?\b|\b(?:gaps?|open slots?|spare (?:time|hours?))\b`,
  ),
  ...rules(
    'meetings',
    String.raw`\b(?:${MEETING})s?\b|\bcalendar\b|\bagenda\b|\bmy schedule\b`,
    String.raw`\b(?:when|whom?) (?:do|am|are|will) (?:i|we) ${SEE}\b`,
    String.raw`\b(?:what's|what is|anything|something) (?:on|up|planned|happening)\b(?=.*(?:day|tomorrow|week|month)\b)`,
    String.raw`\bwhat(?:'s| is) on\b|\bdo (?:i|we) have (?:anything|something|plans)\b(?=.*(?:day|tomorrow|week|month)\b)`,
    '^(?:tomorrow|(?:mon|tues|wednes|thurs|fri|satur|sun)day)$',
  ),
  ...rules(
    'mails',
    String.raw`\b(?:unread|starred|new|latest|last|recent|newest)\b.{0,20}\b(?:${MAIL}s?|repl(?:y|ies)|inbox)\b`,
    String.raw`\b${MAIL}s?\b.{0,30}\b(?:from|about|to|with|mention\w*)\b|\bmy (?:inbox|drafts)\b`,
    String.raw`\b(?:find|show|search|list|get|read|open|any)\b.{0,25}\b(?:${MAIL}s?|inbox|drafts?)\b`,
  ),
  rule('replied', String.raw`\b(?:who|which|whom)\b.{0,30}\b(?:repl|answer|respond)`),
  rule(
    'tasks',
    String.raw`\b(?:tasks?|to-?dos?)\b|\bdue\b|\boverdue\b|\bleft to do\b|\b(?:late|behind) with\b`,
  ),
  // "Whom did I email today?" is another question.
  ...rules(
    'today',
    String.raw`^(?!(?:whom?|did|has|was|were)\b)(?!.*\b(?:did|sent|wrote)\b).*\btoday\b`,
    String.raw`\b(?:my|the) day\b|\bwhat should i (?:do|work on)\b|\bwhat needs\b`,
    String.raw`\bwhat(?:'s| is) (?:waiting|next|new|up|open)\b`,
  ),
]

const DETAILS =
  '(?:phone(?: number)?|tel(?:ephone)?(?: number)?|mobile(?: number)?|cell|number|e-?mail(?: address)?|mail address|address|company|position|job(?: title)?|details|contact details)'
const ASK_FOR =
  "(?:who is|who's|find|show(?: me)?|look up|search(?: for)?|give me|tell me about|what is|what's|where is|where's|open)"
const KNOW = '(?:what do (?:you|i|we) know about|do i (?:have|know))'
const REACH = '(?:how (?:do|can) i (?:reach|contact|get hold of)|info (?:on|about))'

const PEOPLE: readonly Rule[] = [
  ...rules(
    'find_contact',
    String.raw`^(?:${ASK_FOR}|${KNOW}|${REACH})\s+(?<who>.+)$`,
    String.raw`^${DETAILS}\s+(?:for|of)\s+(?<who>.+)$`,
    String.raw`^(?<who>\S+(?:\s\S+){0,2}?)(?:'s)?\s+${DETAILS}$`,
    String.raw`^who (?:works|do (?:i|we) (?:have|know)) (?:at|for|from|with)\s+(?<who>.+)$`,
  ),
]

/** Questions about what is there. The first that fits is taken. */
export const RULES_OF_QUESTIONS: readonly Rule[] = [...SILENCE, ...NUMBERS, ...LISTS, ...PEOPLE]
