import type { Phrases } from './phrases.ts'

const DAY =
  '(?:monday|tuesday|wednesday|thursday|friday|tomorrow|next week|this week|this afternoon|this morning)'
const SEASON =
  '(?:in (?:the )?(?:spring|summer|autumn|fall|winter|new year|q[1-4]|january|february|march|april|may|june|july|august|september|october|november|december|(?:a few|some|two|three|six|\\p{N}+) months)|next (?:year|quarter|season|spring|summer|autumn|fall|winter)|later (?:this|in the) year|after (?:the )?(?:summer|winter|holidays|season)|another time)'
/** Whom a customer took instead. */
const OTHERS =
  '(?:(?:some|any)(?:body|one) else|something else|(?:a|an) (?:different|other|competing)|another(?: \\p{L}+)? (?:supplier|provider|company|vendor|offer|option|caterer|firm|agency|partner|solution|product|one)|another(?=[.,!]|$)|a competitor|our (?:current|existing|usual|present|old)|one of your competitors)'

export const english: Phrases = {
  absent: [
    "(?:i am|i'm|i will be|i'll be) (?:currently |presently )?(?:out of (?:the )?office|away from (?:the office|my desk|my email)|on (?:annual |parental |maternity |sick )?(?:leave|holiday|vacation))",
    'out of (?:the )?office (?:until|from|reply|message|notice)|currently out of (?:the )?office',
    'automatic reply|auto-?reply',
    // Our shop is closed until …, but not "Is your shop closed?" or "closed on Mondays".
    '(?:our|the|my) (?:\\p{L}+ )?(?:office|shop|store|company|business|practice|studio|restaurant|school)s? (?:is|are|will be|remains?|stays?) (?:currently |now )?closed (?:until|till|from|between|for|over|through|during)',
    "(?:i am|i'm|i will be|i'll be|we are|we're) (?:currently |presently |away |now )?(?:travell?ing|on the road|abroad)(?!\\p{L})[^.!?]{0,40}(?<!\\p{L})(?:reply|respond|answer|get back|return|back (?:on|in)|limited access|no access)",
  ],
  unsubscribe: [
    'unsubscribe(?: me| us)?',
    '(?:please )?(?:remove|delete|take) (?:me|us|my (?:e-?mail|address|name|data|details))(?!.{0,20}(?:off guard|through| to ))',
    'opt(?:ing)?[- ]?(?:me )?out',
    'stop (?:e-?mailing|contacting|sending|spamming|writing|messaging|these|this|it)',
    "(?:do not|don't|never) (?:e-?mail|contact|write(?: to)?|message|send) (?:me|us)",
    'take me off|cease (?:and desist|all)|no more (?:e-?mails|mails|messages)',
  ],
  no: [
    "(?:not|n't|no longer|never|cannot be|neither) (?:really |currently |at all |very |particularly |be |that |too |so )*(?:interested|interesting|looking for|in the market|in need|a (?:good )?fit|relevant|a priority|for us|for me|for now)",
    '(?<!not )(?:un|dis)interested|no,? thank(?:s| you)|no (?:interest|need|budget|demand)',
    "(?:we|i)(?:'ll| will)? (?:have to |must |respectfully |politely )*(?:pass|decline)",
    'not (?:right now|now|yet|today|at this (?:time|point|stage|moment)|at the moment|at present|this (?:year|quarter|season|month))',
    `(?:ask|contact|write|call|come back|get back|check back|check in|try|reach out|get in touch|follow up)(?: to| with)?(?: me| us)? (?:again |back )?${SEASON}`,
    "we(?:'re| are) (?:all set|good|happy with (?:our|what)|fine)",
    'already (?:have|use|using|work with|got) (?:a|an|our|another|someone|something)',
    "(?:don't|do not|doesn't|didn't) (?:need|want)(?! to (?:miss|wait))",
    // They chose somebody else, or against it; "with you" is a yes.
    `(?<!not |n't |never |yet )(?:decided|chosen|opted|agreed|chose|going|gone|choosing) (?:to (?:go|work|stay|stick|continue|proceed|sign|move)(?: ahead| on)? )?(?:with|for|on) ${OTHERS}`,
    `(?<!not |n't |never )(?:we|i)(?:'ve| have)? (?:went|signed|(?:found|picked|hired|booked|chosen)(?: with)?) (?:with )?${OTHERS}`,
    "(?<!not |n't |never |yet )(?:decided|chosen|opted) (?:against|not to)",
    'nothing for (?:us|me)(?! to)(?!\\p{L})',
    "(?:has|have|holds|is of) no (?:interest|use)|(?:doesn't|does not|don't|do not) (?:really )?interest (?:me|us)",
  ],
  meeting: [
    "(?<!n't |not )(?:let's|let us|could we|can we|may we|may i|might we|could i|can i|shall we|should we|we could|we can|we should|would like to|love to|happy to|glad to|want to|i'd like to|we'd like to|able to|please|to|you) (?:[\\p{L}']+ ){0,3}?(?:schedule|set up|arrange|book|meet|talk|speak|chat|hop on|jump on|have a (?:call|chat|meeting|talk|quick)|get on a call|connect|get together)",
    '(?:schedule|set up|arrange|book|have|do) (?:a|an|some) (?:[\\p{L}-]+ ){0,2}?(?:call|meeting|demo|chat|slot|appointment)',
    `(?:a|quick|short|zoom|teams|phone|video|intro\\p{L}*|next) (?:call|meeting|demo|chat)(?![\\p{L}]).{0,60}(?<!\\p{L})(?:${DAY}|week|today|am|pm|o'clock|\\p{N}{1,2}[:.]\\p{N}{2})`,
    '(?:are|would) you (?:be )?(?:free|available|around)|when (?:are|would) you (?:be )?(?:free|available)|what time (?:works|suits|would)|when (?:can|could|shall|should|may) (?:we|i)',
    "(?:i'm|i am|we're|we are) (?:free|available) (?:on|at|next|this|tomorrow|after|between|from)",
    '(?:call|ring|phone) me|give me a (?:call|ring)',
    'calendly\\.com',
    'send (?:me |over |us )?(?:a |an |the |your )?(?:calendar|invite|availability)',
    `(?:how|what) about (?:a call|a meeting|meeting|${DAY})|${DAY}(?: at \\p{N}[^ ]* ?(?:am|pm)?)? (?:works|suits|would work|would suit|is fine|is good)`,
  ],
  yes: [
    "(?:i'm|i am|we're|we are|very|quite|definitely|be|really|would be|am|are) (?:\\p{L}+ )?interested|interested in|interested[!.]?$",
    'sounds (?:good|great|interesting|perfect|promising|like a plan)',
    '(?:tell|send|share|give) (?:me|us) (?:a bit |some |the |one |two |your |an? )?(?:more|details|information|info|pricing|prices?|price list|quote|rates|deck|brochure|catalogue|offer|samples?|one|two)',
    "(?:would|i'd|we'd) (?:like|love) to (?:know|hear|learn|see|find out|try)",
    "let's (?:do it|go ahead|proceed|move forward)|count (?:me|us) in|yes,? please",
    'please (?:send|share|go ahead|proceed)|looking forward to (?:hearing|learning|seeing|it)|keen to',
  ],
  question: [
    "i have a question|(?:was |am |are |were )?wondering (?:if|whether|how|what|when)|(?:can|could) you tell (?:me|us)|(?:would|i'd|we'd) like to know (?:if|whether|how|what|when)",
  ],
  handOver: [
    "(?:write to|contact|ask|e-?mail|talk to|speak (?:to|with)|call|copied|copying|cc'ing|cc'd|looped in|adding) (?:him|her|them)(?!.{0,20} (?:again|never))",
    '(?:my|our|a) (?:colleague|co-?worker|boss|manager|partner|assistant|husband|wife|team|head of \\p{L}+)s?(?!\\p{L})[^.!?\\n]{0,60}(?:handles?|takes? care|deals? with|looks? after|is in charge|(?:is|are) responsible|manages|decides?|will (?:answer|reply|get back|be in touch|handle|take))',
    '(?:handled|taken care of|dealt with|looked after|decided|managed) by (?:my|our|a) (?:colleague|co-?worker|boss|manager|partner|team)',
    '(?:contact|write to|e-?mail|ask|talk to|speak (?:to|with)|reach out to|get in touch with|turn to|address|try) (?:my|our) (?:colleague|co-?worker|boss|manager|partner|assistant|team)',
    "(?:i've|i have|i|we've|we have|we) (?:forwarded|passed|handed|sent) (?:this|it|your (?:e-?mail|mail|message|note|request))(?: on)? to",
    '\\p{L}+ (?:is the (?:right|best) (?:person|one|contact)|handles (?:this|that|these|such)|takes care of (?:this|that|these)|is (?:responsible|in charge) (?:for|of) (?:this|that|it|these))',
  ],
  notMe: [
    "wrong (?:person|address)|(?:not|n't) (?:the )?(?:right|responsible|best|correct)(?: person| one| contact)?(?: for| to)?|not (?:my|our) (?:area|department|job)",
  ],
}
